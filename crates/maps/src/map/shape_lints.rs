//! Checks of shapes that do not depend on the form of the file.

use super::draft::{Diagnostics, Draft, Extent};
use super::shape::{MOST_OF_MAP, SIDE};
use super::shores::{AROUND, Shores};
use risk_kernel::board::Board;
use risk_kernel::id::Territory;

pub(super) fn corners(draft: &Draft, finder: &mut Diagnostics<'_>) {
    let drawn = draft
        .territories
        .iter()
        .filter(|of| !of.info.shape.is_empty());
    if drawn.clone().next().is_none() {
        return;
    }
    let corners = drawn.flat_map(|of| &of.info.shape).map(Vec::len);
    if corners.sum::<usize>() > MOST_OF_MAP {
        let text = format!("the shapes of a map must have at most {MOST_OF_MAP} corners in total");
        finder.find("shape-data", text, (0, 0));
    }
    for of in &draft.territories {
        let id = &of.info.id;
        if of.info.shape.is_empty() {
            finder.find("shape-missing", format!("`{id}` has no shape"), of.place);
        }
        let mut corners = of.info.shape.iter().flatten();
        let out = |value: i32| !(0..=SIDE).contains(&value);
        if let Some((x, y)) = corners.find(|(x, y)| out(*x) || out(*y)) {
            let text = format!("the shape of `{id}` has a corner outside the picture, at {x} {y}");
            finder.find("shape-outside", text, of.place);
        }
    }
}

pub(super) fn shores(board: &Board, places: &[Extent], finder: &mut Diagnostics<'_>) {
    // If no shape has findings, either all territories have shapes or none do.
    if finder.denied()
        || board
            .territories()
            .all(|at| board.info(at).shape.is_empty())
    {
        return;
    }
    if board
        .territories()
        .any(|at| board.info(at).shape.is_empty())
    {
        return;
    }
    let Some(shores) = Shores::new(board, |point| point) else {
        let text = "the shapes are too complex: too many edges are close together";
        finder.find("shape-data", text, (0, 0));
        return;
    };
    for at in board.territories() {
        let info = board.info(at);
        let place = info.at.map(|(x, y)| (f64::from(x), f64::from(y)));
        if place.is_some_and(|place| !shores.holds(at.index(), place)) {
            let text = format!("the position of `{}` is not on its shape", info.id);
            finder.find("at-outside-shape", text, places[at.index()]);
        }
    }
    let apart: Vec<(usize, usize)> = board
        .edges()
        .map(|(from, to, _)| (from.index(), to.index()))
        .filter(|&(from, to)| !shores.touch(from, to))
        .collect();
    let wide = shores.width() * AROUND;
    for (&(from, to), link) in apart.iter().zip(shores.links(&apart, 0.0)) {
        // A line around the world leaves the picture at the sides.
        if link.clear || (link.from.0 - link.to.0).abs() > wide {
            continue;
        }
        let id = |index: usize| &board.info(Territory::from_index(index)).id;
        let text = format!(
            "`{}` and `{}` share a border, but other territories lie between them",
            id(from),
            id(to)
        );
        finder.find("line-over-land", text, places[from]);
    }
}
