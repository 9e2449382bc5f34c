//! Templates of our own; the expected texts were rendered by Python's Jinja with Hugging Face's settings.

use super::*;

const TURNS: &str = "\
{%- for message in messages -%}
    {%- if loop.first and messages[0]['role'] != 'system' -%}
        {{- '<system>be brief</system>\\n' -}}
    {%- endif -%}
    {{- '<' + message['role'] + '>' + message['content'].strip() + '</' + message.role + '>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<assistant>' }}{%- endif -%}
";

fn talk() -> Vec<Message> {
    vec![Message::new("user", "  Hello. \n"), Message::new("assistant", "Yes?"), Message::new("user", "<b>&\"é'</b>")]
}

pub(super) fn rendered(source: &str) -> String {
    ChatTemplate::new(source).unwrap().with_tokens("<s>", "</s>").render(&talk(), true).unwrap()
}

/// The chain of messages of an error.
pub(super) fn failure(source: &str) -> String {
    let error = match ChatTemplate::new(source) {
        Err(error) => error,
        Ok(template) => template.render(&talk(), true).unwrap_err(),
    };
    let source = std::error::Error::source(&error).unwrap();
    format!("{error}: {}", source.to_string().lines().next().unwrap_or_default())
}

#[test]
fn turns_are_written_one_by_one() {
    let template = ChatTemplate::new(TURNS).unwrap();
    let expected =
        "<system>be brief</system>\n<user>Hello.</user>\n<assistant>Yes?</assistant>\n<user><b>&\"é'</b></user>\n";
    assert_eq!(template.render(&talk(), false).unwrap(), expected);
    assert_eq!(template.render(&talk(), true).unwrap(), format!("{expected}<assistant>"));
    let with_system = [Message::new("system", "be rude"), Message::new("user", "Hi")];
    assert_eq!(template.render(&with_system, false).unwrap(), "<system>be rude</system>\n<user>Hi</user>\n");
    assert_eq!(template.render(&[], true).unwrap(), "<assistant>");
}

#[test]
fn blocks_take_their_line_with_them_and_the_last_line_break_goes() {
    let source =
        "{% for message in messages %}\n  {% if loop.last %}\n  {{ message.role }}\n  {% endif %}\n{% endfor %}\n\n";
    assert_eq!(rendered(source), "  user\n");
}

#[test]
fn the_words_of_python_are_understood() {
    assert_eq!(
        rendered("{{ bos_token }}{{ messages[1:] | length }}{{ messages[-1].role.upper() }}{{ eos_token }}"),
        "<s>2USER</s>"
    );
    assert_eq!(
        rendered("{{ messages[0]['content'].split('l')[0].lstrip() }}|{{ messages[0].content | trim }}"),
        "He|Hello."
    );
    assert_eq!(
        rendered("{{ 'yes' if messages[0].content.startswith('  H') and not messages[0].tool_calls else 'no' }}"),
        "yes"
    );
    assert_eq!(
        rendered(
            "{% set ns = namespace(n=0) %}{% for m in messages %}{% if m.role == 'assistant' %}{% break %}{% endif %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}"
        ),
        "1"
    );
    assert_eq!(rendered("{{ tools is defined }}{{ tools is none }}{{ messages[0] is mapping }}"), "FalseFalseTrue");
}

#[test]
fn operators_are_those_of_python() {
    assert_eq!(
        rendered("{{ 1 + 2 }} {{ 1.5 + 1 }} {{ 2 * 3 }} {{ 2 * 0.5 }} {{ 7 // 2 }} {{ 7 % 4 }}"),
        "3 2.5 6 1.0 3 3"
    );
    assert_eq!(
        rendered("{% set n = 3 %}{{ '-' * n }}{{ n * '=' }}{{ 'x' * (0 - n) }}|{{ [1, 2] * 2 }}"),
        "---===|[1, 2, 1, 2]"
    );
    assert_eq!(
        rendered("{% set n = 2 %}{{ [1] + [n, 'a'] }}{{ (1,) + (2,) }}{{ 'a' ~ 1 ~ none ~ [1] }}"),
        "[1, 2, 'a'](1, 2)a1None[1]"
    );
    assert_eq!(
        rendered("{% set k = 'a' %}{{ {k: 1, 'b': [k]} | tojson }}{{ {'a': k}['a'] }}"),
        r#"{"a": 1, "b": ["a"]}a"#
    );
    assert_eq!(
        rendered(
            "{% set ns = namespace(n=1, l=[]) %}{% for m in messages %}{% set ns.n = ns.n + loop.index %}{% set ns.l = ns.l + [m.role] %}{% endfor %}{{ ns.n }}{{ ns.l | join('/') }}"
        ),
        "7user/assistant/user"
    );
    assert!(failure("{{ 'a' + 1 }}").contains("cannot use `+` on string and number"));
}

#[test]
fn control_flow_is_kept_when_instructions_are_replaced() {
    let source = "{% macro turn(m, end='!') %}[{{ m.role }}{% if m.content %}: {{ m.content | trim }}{% else %}-{% endif %}]{{ end }}{% endmacro %}\
        {% for m in messages %}{% if loop.first %}{% continue %}{% elif m.role == 'user' and not m.tools %}{{ turn(m) }}\
        {% else %}{{ turn(m, end='?') }}{% endif %}{% else %}none{% endfor %}{% macro wrap() %}<{{ caller() }}>{% endmacro %}{% call wrap() %}in{% endcall %}\
        {% set kept %}a{{ 'b' + 'c' }}d{% endset %}{{ kept if kept == 'abcd' else 'no' }}{% filter upper %}low{{ 1 }}{% endfilter %}\
        {% with a = [1] %}{{ a + a }}{% endwith %}";
    assert_eq!(rendered(source), "[assistant: Yes?]?[user: <b>&\"é'</b>]!<in>abcdLOW1[1, 1]");
}

#[test]
fn json_is_written_as_python_writes_it() {
    assert_eq!(rendered("{{ messages[2] | tojson }}"), r#"{"role": "user", "content": "<b>&\"é'</b>"}"#);
    assert_eq!(
        rendered("{{ [1, [], {'a': none}] | tojson(indent=2) }}"),
        "[\n  1,\n  [],\n  {\n    \"a\": null\n  }\n]"
    );
}

#[test]
fn a_template_can_refuse_a_conversation() {
    let source = "{% if messages[0].role == 'user' %}{{ raise_exception('the system must speak first') }}{% endif %}";
    let message = failure(source);
    assert!(
        message.starts_with("the chat template cannot be rendered: invalid operation: the system must speak first"),
        "{message}"
    );
    assert!(failure("{% if %}").starts_with("the chat template cannot be parsed: syntax error"));
}
