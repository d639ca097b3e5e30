//! What `check_block` accepts, and what it finds.

use linkwork::block::{check_block, check_block_at};
use linkwork::connector::ConnectorKind;
use linkwork::constraint::contract::InputMotion;

use crate::functions::{Fault, Length, Mixed, Product, Root, Sum};

#[test]
fn good_blocks_keep_the_contract() {
    for seed in 0..5 {
        check_block(&Mixed(Fault::None), seed).unwrap();
        check_block(&Sum::mean(3), seed).unwrap();
        check_block(&Length, seed).unwrap();
        check_block(&Product::of(4), seed).unwrap();
    }
    let mut positive = InputMotion::at_rest(ConnectorKind::Scalar, [0.7, 0.0, 0.0]);
    positive.velocity[0] = 0.4;
    check_block_at(&Root, 0.0, &[positive]).unwrap();
}

#[test]
fn every_fault_is_found_and_named() {
    let cases = [
        (Fault::WrongD, "output 1, number 0", "D of input 1"),
        (Fault::WrongRate, "output 0, number 1", "ẋ"),
        (Fault::NoGamma, "output 1, number 0", "γ"),
        (Fault::LongDirection, "output 2", "length one"),
        (Fault::ByRates, "output 1", "must not depend on the rates"),
        (Fault::NotFinite, "output 0", "finite"),
        (Fault::MirroredFrame, "output 3", "expected"),
    ];
    for (fault, place, what) in cases {
        let found = check_block(&Mixed(fault), 1).unwrap_err().to_string();
        assert!(found.starts_with(place), "{fault:?}: {found}");
        assert!(found.contains(what), "{fault:?}: {found}");
    }
}

#[test]
fn motions_of_other_kinds_are_refused() {
    let scalar = InputMotion::at_rest(ConnectorKind::Scalar, [1.0, 0.0, 0.0]);
    let found = check_block_at(&Length, 0.0, &[scalar, scalar]).unwrap_err();
    assert!(found.to_string().contains("kinds"), "{found}");
    // A vector is moved as so many scalars.
    check_block_at(&Product::of(2), 0.0, &[scalar, scalar]).unwrap();
    assert!(check_block_at(&Product::of(2), 0.0, &[scalar]).is_err());
}
