//! Each operation against the same thing spelled out: values and gradients.

use super::super::attention::Sight;
use super::super::pass::Span;
use super::super::{RoundedMatrix, plain};
use super::*;
use crate::kernel::AttentionShape;
use crate::kernel::ops::{RopeOrder, RopeTable};
use candle_core::{D, Device, Shape, Var};
use saydo_random::SplitMix64;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    /// Each test has a thread, so each draws the same numbers in every run: rounding is near enough or it is not, for good.
    static RANDOM: RefCell<SplitMix64> = RefCell::new(SplitMix64::seeded(1));
}

/// Numbers around 0, most of them closer to it than twice the spread.
fn drawn(spread: f32, shape: impl Into<Shape>) -> Tensor {
    let shape = shape.into();
    let unit = |random: &mut SplitMix64| random.below(1 << 20) as f32 / (1 << 20) as f32;
    // The sum of twelve uniform numbers is nearly normal with variance 1.
    let number = |random: &mut SplitMix64| spread * ((0..12).map(|_| unit(random)).sum::<f32>() - 6.0);
    let numbers =
        RANDOM.with_borrow_mut(|random| (0..shape.elem_count()).map(|_| number(random)).collect::<Vec<f32>>());
    Tensor::from_vec(numbers, shape, &Device::Cpu).unwrap()
}

fn variable(shape: (usize, usize)) -> Var {
    Var::from_tensor(&drawn(1.0, shape)).unwrap()
}

fn assert_same(variables: &[&Var], a: &dyn Fn() -> Tensor, b: &dyn Fn() -> Tensor) {
    assert_near(1e-4, variables, a, b);
}

/// Values and gradients of the same variables through two ways, weighed so that no symmetry hides a mistake.
fn assert_near(tolerance: f32, variables: &[&Var], a: &dyn Fn() -> Tensor, b: &dyn Fn() -> Tensor) {
    let (a, b) = (a(), b());
    let weights: Vec<f32> = (0..a.elem_count()).map(|i| ((i * 7919 % 101) as f32 - 50.0) / 50.0).collect();
    let weights = Tensor::from_vec(weights, a.shape(), &Device::Cpu).unwrap();
    let near = |a: &Tensor, b: &Tensor, what: &str| {
        let expected = copied(b).unwrap();
        // What is rounded are the terms of a sum, so its error goes by their size and not by what is left of them.
        let size = (expected.iter().map(|y| y * y).sum::<f32>() / expected.len() as f32).sqrt().max(1.0);
        for (x, y) in copied(a).unwrap().iter().zip(expected) {
            assert!((x - y).abs() < tolerance * (size + y.abs()), "{what}: {x}, expected {y}");
        }
    };
    near(&a, &b, "value");
    let gradients = |y: &Tensor| (y * &weights).unwrap().sum_all().unwrap().backward().unwrap();
    let (ours, theirs) = (gradients(&a), gradients(&b));
    for (number, variable) in variables.iter().enumerate() {
        near(ours.get(variable).unwrap(), theirs.get(variable).unwrap(), &format!("gradient of variable {number}"));
    }
}

#[test]
fn a_frozen_product_is_a_product() {
    let x = variable((5, 8));
    let weight = drawn(1.0, (6, 8));
    let plain = || x.matmul(&weight.t().unwrap()).unwrap();
    assert_same(&[&x], &|| frozen_product(x.as_tensor(), Frozen::Floats(weight.clone())).unwrap(), &plain);
}

#[test]
fn an_addition_of_low_rank_is_two_more_products() {
    let (x, down, up) = (variable((5, 8)), variable((3, 8)), variable((6, 3)));
    let weight = drawn(1.0, (6, 8));
    let bias = drawn(1.0, 6);
    let product = |x: &Tensor, w: &Tensor| x.matmul(&w.t().unwrap()).unwrap();
    let spelled = || {
        let addition = product(&product(x.as_tensor(), down.as_tensor()), up.as_tensor());
        (product(x.as_tensor(), &weight) + (addition * 0.7).unwrap()).unwrap().broadcast_add(&bias).unwrap()
    };
    let halves = [down.as_tensor(), up.as_tensor()];
    let frozen = || Frozen::Floats(weight.clone());
    assert_same(
        &[&x, &down, &up],
        &|| low_rank_product(x.as_tensor(), (frozen(), Some(&bias)), halves, 0.7).unwrap(),
        &spelled,
    );
}

#[test]
fn rounded_products_are_near_and_their_gradients_too() {
    let (x, down, up) = (variable((37, 40)), variable((3, 40)), variable((50, 3)));
    let weight = drawn(0.2, (50, 40));
    let rounded = Arc::new(RoundedMatrix::new(&weight).unwrap());
    let frozen = || Frozen::Rounded(Arc::clone(&rounded));
    let plain = || frozen_product(x.as_tensor(), Frozen::Floats(weight.clone())).unwrap();
    assert_near(0.05, &[&x], &|| frozen_product(x.as_tensor(), frozen()).unwrap(), &plain);
    let halves = [down.as_tensor(), up.as_tensor()];
    let plain = || low_rank_product(x.as_tensor(), (Frozen::Floats(weight.clone()), None), halves, 0.1).unwrap();
    let ours = || low_rank_product(x.as_tensor(), (frozen(), None), halves, 0.1).unwrap();
    assert_near(0.05, &[&x, &down, &up], &ours, &plain);
}

#[test]
fn a_gated_feed_forward_part_is_near_its_parts_one_by_one() {
    let weight = |shape: (usize, usize)| Arc::new(RoundedMatrix::new(&drawn(0.2, shape)).unwrap());
    let x = variable((37, 40));
    let matrices = [weight((70, 40)), weight((70, 40)), weight((40, 70))];
    let halves =
        [(40, 70), (40, 70), (70, 40)].map(|(inputs, outputs)| [variable((3, inputs)), variable((outputs, 3))]);
    let layer = |number: usize| Layer {
        matrix: &matrices[number],
        halves: [halves[number][0].as_tensor(), halves[number][1].as_tensor()],
        scale: 0.1,
    };
    let one = |x: &Tensor, number: usize| {
        let Layer { matrix, halves, scale } = layer(number);
        low_rank_product(x, (Frozen::Rounded(Arc::clone(matrix)), None), halves, scale).unwrap()
    };
    let plain = || one(&gate(&one(x.as_tensor(), 0), &one(x.as_tensor(), 1)).unwrap(), 2);
    let fused = || gated_feed_forward(x.as_tensor(), [0, 1, 2].map(layer)).unwrap();
    let mut variables = vec![&x];
    variables.extend(halves.iter().flatten());
    assert_near(0.05, &variables, &fused, &plain);
}

#[test]
fn a_norm_is_a_norm() {
    let x = variable((4, 6));
    let weight = vec![0.5_f32, 1.0, -2.0, 0.1, 3.0, 0.7];
    let spelled = || {
        let scale = (x.sqr().unwrap().mean_keepdim(D::Minus1).unwrap() + 1e-5).unwrap().sqrt().unwrap();
        let weight = Tensor::new(&weight[..], &Device::Cpu).unwrap();
        x.broadcast_div(&scale).unwrap().broadcast_mul(&weight).unwrap()
    };
    assert_same(&[&x], &|| rms_norm(x.as_tensor(), weight.clone(), 1e-5).unwrap(), &spelled);
}

#[test]
fn a_gate_is_a_gate() {
    let (x, y) = (variable((3, 50)), variable((3, 50)));
    let spelled = || (x.silu().unwrap() * y.as_tensor()).unwrap();
    assert_same(&[&x, &y], &|| gate(x.as_tensor(), y.as_tensor()).unwrap(), &spelled);
}

#[test]
fn a_turn_turns_back() {
    let x = variable((5, 16));
    let table = Arc::new(RopeTable::new(&[1.0, 0.3, 0.1, 0.03], &[0, 1, 2, 7, 9]));
    for order in [RopeOrder::HalfSplit, RopeOrder::Interleaved] {
        let turned = turn(x.as_tensor(), &table, order, 8).unwrap();
        let gradient = (turned.sqr().unwrap().sum_all().unwrap() * 0.5).unwrap().backward().unwrap();
        // A turn keeps lengths, so the gradient of half the squared length is the input itself.
        for (x, g) in copied(&x).unwrap().iter().zip(copied(gradient.get(&x).unwrap()).unwrap()) {
            assert!((x - g).abs() < 1e-5, "{x} {g}");
        }
    }
}

#[test]
fn attention_over_spans_that_share_a_prefix_is_attention() {
    let shape = AttentionShape { heads: 4, kv_heads: 2, head_dim: 8, scale: 0.35, window: None, soft_cap: None };
    // Longer than a block of rows, and shorter.
    let (q, k, v) = (variable((179, 32)), variable((179, 16)), variable((179, 16)));
    let spans = [
        Span { rows: 0..90, after: None },
        Span { rows: 90..92, after: Some(0..90) },
        Span { rows: 92..170, after: Some(0..90) },
        Span { rows: 170..179, after: None },
    ];
    let spelled = || {
        let part = |span: &Span| {
            let rows = q.narrow(0, span.rows.start, span.rows.len()).unwrap();
            let seen = |x: &Var| {
                let own = x.narrow(0, span.rows.start, span.rows.len()).unwrap();
                match &span.after {
                    Some(after) => Tensor::cat(&[x.narrow(0, after.start, after.len()).unwrap(), own], 0).unwrap(),
                    None => own,
                }
            };
            let first = span.after.as_ref().map_or(0, |after| after.len());
            plain::attention(&shape, (Sight::Causal, first), [&rows, &seen(&k), &seen(&v)], None, &mut None).unwrap()
        };
        Tensor::cat(&spans.iter().map(part).collect::<Vec<_>>(), 0).unwrap()
    };
    let fused = || attend(&shape, &spans, [q.as_tensor(), k.as_tensor(), v.as_tensor()], false).unwrap();
    assert_same(&[&q, &k, &v], &fused, &spelled);
}

#[test]
fn attention_in_bf16_is_near_and_its_gradients_too() {
    let shape = AttentionShape { heads: 4, kv_heads: 2, head_dim: 32, scale: 0.2, window: None, soft_cap: None };
    let (q, k, v) = (variable((179, 128)), variable((179, 64)), variable((179, 64)));
    // Spans that begin and end within tiles, longer than a block of rows, and shorter.
    let spans = [
        Span { rows: 0..101, after: None },
        Span { rows: 101..103, after: Some(0..101) },
        Span { rows: 103..160, after: Some(0..101) },
        Span { rows: 160..179, after: None },
    ];
    let attend =
        |is_rounded| attend(&shape, &spans, [q.as_tensor(), k.as_tensor(), v.as_tensor()], is_rounded).unwrap();
    assert_near(0.05, &[&q, &k, &v], &|| attend(true), &|| attend(false));
}

#[test]
fn cross_entropy_is_cross_entropy_with_and_without_smoothing() {
    let logits = variable((4, 11));
    let targets = [3_u32, 0, 10, 7];
    for smoothing in [0.0, 0.1] {
        let spelled = || {
            let largest = logits.max_keepdim(D::Minus1).unwrap().detach();
            let shifted = logits.broadcast_sub(&largest).unwrap();
            let sum = shifted.exp().unwrap().sum_keepdim(D::Minus1).unwrap().log().unwrap();
            let log_probs = shifted.broadcast_sub(&sum).unwrap();
            let mut weights = vec![-smoothing / 11.0; 44];
            for (row, target) in targets.iter().enumerate() {
                weights[row * 11 + *target as usize] -= 1.0 - smoothing;
            }
            let weights = Tensor::from_vec(weights, (4, 11), &Device::Cpu).unwrap();
            (log_probs * weights).unwrap().sum(D::Minus1).unwrap()
        };
        assert_same(&[&logits], &|| cross_entropy(logits.as_tensor(), &targets, smoothing).unwrap(), &spelled);
    }
}

#[test]
fn the_loss_of_a_rounded_head_is_cross_entropy_of_its_logits() {
    // More rows than a chunk has.
    let x = variable((131, 40));
    let weight = drawn(0.3, (67, 40));
    let head = Arc::new(RoundedMatrix::new(&weight).unwrap());
    let targets: Vec<u32> = (0..131).map(|row| row * 7 % 67).collect();
    for smoothing in [0.0, 0.1] {
        let plain = || {
            let logits = frozen_product(x.as_tensor(), Frozen::Rounded(Arc::clone(&head))).unwrap();
            cross_entropy(&logits, &targets, smoothing).unwrap()
        };
        // Gradients of logits are rounded before or after they are scaled.
        assert_near(0.01, &[&x], &|| head_loss(x.as_tensor(), &head, &targets, smoothing).unwrap(), &plain);
    }
}

#[test]
fn divergence_is_the_expected_loss_of_log_probability() {
    let (logits, wanted) = (variable((4, 11)), variable((4, 11)));
    let log_probs = |logits: &Tensor| {
        let largest = logits.max_keepdim(D::Minus1).unwrap().detach();
        let shifted = logits.broadcast_sub(&largest).unwrap();
        let sum = shifted.exp().unwrap().sum_keepdim(D::Minus1).unwrap().log().unwrap();
        shifted.broadcast_sub(&sum).unwrap()
    };
    let spelled = || {
        let wanted = log_probs(&wanted.as_tensor().detach());
        let lost = (&wanted - log_probs(logits.as_tensor())).unwrap();
        (wanted.exp().unwrap() * lost).unwrap().sum(D::Minus1).unwrap()
    };
    assert_same(&[&logits], &|| divergence(logits.as_tensor(), wanted.as_tensor()).unwrap(), &spelled);
    let same = divergence(logits.as_tensor(), logits.as_tensor()).unwrap().to_vec1::<f32>().unwrap();
    assert!(same.iter().all(|loss| loss.abs() < 1e-6), "{same:?}");
}
