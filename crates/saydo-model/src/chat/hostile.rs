//! Templates that try to end the process: each must come to an error, and soon.

use super::tests::failure;

/// Templates that are refused, with a part of what is said.
const HOSTILE: &[(&str, &str)] = &[
    // Without end.
    ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "ran out of fuel"),
    ("{% for a in range(1000000000000) %}{% endfor %}", "too many elements"),
    ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "recursion limit"),
    ("{% macro f(x) %}{{ f(x ~ x) }}{% endmacro %}{{ f('x') }}", "recursion limit"),
    ("{% for m in messages recursive %}{{ loop(messages) }}{% endfor %}", "recursion limit"),
    ("{% include 'chat template' %}", "template"),
    ("{% extends 'chat template' %}", "template"),
    ("{% import 'chat template' as t %}", "template"),
    // Texts that double.
    (
        "{% set ns = namespace(x='xxxxxxxx') %}{% for a in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x='xxxxxxxx') %}{% for a in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x='xxxxxxxx') %}{% for a in range(99) %}{% set ns.x = ns.x * 9 %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x='x') %}{% for a in range(99) %}{% set ns.x = ns.x | replace('x', 'xxxxxxxx') %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x='x') %}{% for a in range(99) %}{% set ns.x = ns.x.replace('', ns.x) %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x='x') %}{% for a in range(99) %}{% set ns.x = [ns.x, ns.x] | join(ns.x) %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x='x') %}{% for a in range(99) %}{% set ns.x = ns.x.join([ns.x, ns.x]) %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x='x') %}{% for a in range(99) %}{% set t %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = t %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% macro f(x) %}{{ x }}{{ x }}{{ x }}{{ x }}{% endmacro %}{% set ns = namespace(x='xxxxxxxx') %}{% for a in range(99) %}{% set ns.x = f(ns.x) %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x='x') %}{% for a in range(99) %}{% set ns.x = ns.x.upper().format(ns.x) ~ ns.x %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x='x') %}{% for a in range(99) %}{% set ns.x = {'a': ns.x, 'b': ns.x} | tojson %}{% endfor %}",
        "beyond its limits",
    ),
    // Lists that double, in memory or when they are walked.
    (
        "{% set ns = namespace(x=[1, 2]) %}{% for a in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x | length }}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x=[1, 2]) %}{% for a in range(99) %}{% set ns.x = ns.x * 99 %}{% endfor %}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x=[1]) %}{% for a in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x=[1]) %}{% for a in range(99) %}{% set ns.x = (ns.x, ns.x) %}{% endfor %}{{ ns.x == ns.x }}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x={}) %}{% for a in range(99) %}{% set ns.x = dict(a=ns.x, b=ns.x) %}{% endfor %}{{ ns.x | tojson }}",
        "beyond its limits",
    ),
    (
        "{% set ns = namespace(x=[]) %}{% for a in range(4000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}",
        "beyond its limits",
    ),
    ("{% set l = range(90000) | list %}{{ l | map('replace', 0, 'x') | list | length }}", "beyond its limits"),
    ("{{ [*messages, *messages] }}", "beyond its limits"),
    // Padding.
    ("{{ 'x' | indent(999999999999) }}", ""),
    ("{{ 'x\\nx' | indent(width=99999999, first=true) }}", "beyond its limits"),
    ("{{ '%999999999d' | format(1) }}", "beyond its limits"),
    ("{{ '%.999999999f' | format(1.0) }}", "beyond its limits"),
    ("{{ '%*d' | format(999999999, 1) }}", "beyond its limits"),
    ("{{ '{:>999999999}'.format(1) }}", "beyond its limits"),
    ("{{ 'x' | center(999999999) }}", "unknown"),
    ("{{ 'x'.ljust(999999999) }}", "unknown"),
    ("{{ [1] | batch(999999999, 0) }}", "beyond its limits"),
    ("{{ [1] | slice(999999999) | list }}", "beyond its limits"),
    ("{{ [1] | tojson(indent=999999999) }}", "expected 16 at most"),
    // What the compiler would compute.
    ("{% set x = 'x' * 99999999 %}", "beyond its limits"),
    ("{% set x = 'x' * 999 * 999 * 99 %}", "beyond its limits"),
    ("{% set x = [0] * 99999999 %}", "beyond its limits"),
    ("{% set x = 999999999999 * 'x' %}", "beyond its limits"),
    // Values that hold themselves.
    ("{% set ns = namespace() %}{% set ns.a = ns %}{{ ns }}", "beyond its limits"),
    ("{% set ns = namespace() %}{% set l = [ns] %}{% set ns.a = l %}{{ ns }}", "beyond its limits"),
    ("{% set a = namespace() %}{% set b = namespace(x=a) %}{% set a.x = b %}{{ a == b }}", "beyond its limits"),
    // Floods.
    (
        "{% set a = messages[0].content * 999 %}{% set a = a * 99 %}{% for b in range(999) %}{{ a }}{% endfor %}",
        "beyond its limits",
    ),
    ("{{ debug() }}", "unknown"),
];

#[test]
fn hostile_templates_come_to_an_error() {
    for (template, said) in HOSTILE {
        let message = failure(template);
        assert!(message.contains(said), "{template}: {message}");
    }
}

#[test]
fn literal_text_is_paid_for_too() {
    let text = "x".repeat(60_000);
    let flood = format!("{{% for a in range(6000) %}}{text}{{% endfor %}}");
    assert!(failure(&flood).contains("beyond its limits"));
    let kept = format!("{{% set x %}}{{% for a in range(6000) %}}{text}{{% endfor %}}{{% endset %}}");
    assert!(failure(&kept).contains("beyond its limits"));
}

#[test]
fn sources_that_would_use_up_the_stack_are_refused() {
    let chain = |part: &str| format!("{{{{ 1{} }}}}", part.repeat(20_000));
    for part in ["+1", " + x", "~x", "|e", ".x", "[0]", " if x else 1", " and 1", " in x", "()", " is x", "==1"] {
        assert!(failure(&chain(part)).starts_with("the chat template cannot be parsed"), "{part}");
    }
    for part in ["(", "[", "{1:", "not ", "-", "x(", "x["] {
        let nested = format!("{{{{ {} }}}}", part.repeat(20_000));
        assert!(failure(&nested).starts_with("the chat template cannot be parsed"), "{part}");
    }
    let ifs = "{% if x %}".repeat(9_000);
    assert!(failure(&ifs).starts_with("the chat template cannot be parsed"));
    let elifs = format!("{{% if x %}}{}{{% endif %}}", "{% elif x %}".repeat(9_000));
    assert!(failure(&elifs).starts_with("the chat template cannot be parsed"));
    assert!(failure(&"x".repeat(1 << 20)).starts_with("the chat template cannot be parsed"));
    // As deep as is allowed, compiling and rendering fit into the stack of a thread.
    let deep = format!("{{{{ 1{} }}}}", "+1".repeat(240));
    assert_eq!(super::tests::rendered(&deep), "241");
    let deep = format!("{{{{ {}1{} }}}}", "(".repeat(60), ")".repeat(60));
    assert_eq!(super::tests::rendered(&deep), "1");
}
