//! `risk-cli tournament run`: plays the missing blocks, and then the finals.

use std::ops::ControlFlow;

use super::reports::{self, ReportRequest};
use super::{RunArgs, open};
use crate::cli::match_args::{print_assumed, print_without_walls};
use crate::cli::threads::{progress, threads, unfinished};
use crate::cli::{CommandResult, Error, Exit, note};
use risk_lab::tournament::folder::Folder;
use risk_lab::tournament::log::BlockLine;
use risk_lab::tournament::results::{ALPHA, BotTally, TournamentTally};
use risk_lab::tournament::run::{Progress, run as play};
use risk_lab::tournament::{Shard, TournamentPlan};
use risk_text::plural::counted;

pub(super) fn run(args: &RunArgs) -> CommandResult {
    let (folder, plan) = open(&args.place.place)?;
    args.programs.check(&plan.setup.bots)?;
    folder.make_new()?;
    folder.settle(&plan)?;
    print_assumed(&plan.setup.rules.assumed);
    print_without_walls(&plan.setup.bots);
    if args.finals && plan.finals.is_none() {
        let text = format!("{} has no finals", folder.file.display());
        let help = "for example, add `finals: { best: 4, blocks: 100 }` to the file";
        return Error::refuse("tournament::no-finals", text, help);
    }
    if !args.finals {
        play_stage(args, &folder, &plan)?;
    }
    if args.shard != Shard::WHOLE && !args.finals {
        let text = format!(
            "  shard {} is complete; merge all shards with `risk-cli tournament merge`",
            args.shard
        );
        note(&text);
        return Ok(Exit::Fine);
    }
    let asked = ReportRequest {
        quiet: args.quiet || args.shard != Shard::WHOLE,
        dry: args.shard != Shard::WHOLE,
        ..ReportRequest::default()
    };
    let from = [folder.path.clone()];
    let ended = reports::report(&folder, &plan, &from, &asked, |folder, plan| {
        folder.make()?;
        folder.settle(plan)?;
        play_stage(args, folder, plan)
    })?;
    // Missing blocks of the finals are left to other shards.
    let of_others = args.finals && args.shard != Shard::WHOLE && ended.is_whole;
    Ok(if of_others { Exit::Fine } else { ended.exit() })
}

fn play_stage(args: &RunArgs, folder: &Folder, plan: &TournamentPlan) -> Result<(), Error> {
    let jobs = threads(args.jobs, &plan.setup)?;
    let of_shard = (0..plan.blocks)
        .filter(|&block| args.shard.has(block))
        .count();
    let bar = progress(of_shard as u64, "blocks");
    let mut live = TournamentTally::new(plan);
    let prefix = if plan.first_stage.is_some() {
        "finals-"
    } else {
        "game-"
    };
    let log = args.bot_log.open(prefix, args.force.force)?;
    let each = |block: &BlockLine, progress: Progress| {
        bar.set_position(progress.done);
        live.add(block);
        if progress.done.is_multiple_of(64) {
            bar.set_message(leader(&live));
        }
        ControlFlow::Continue(())
    };
    let played = play(plan, &folder.path, args.shard, jobs, log.as_ref(), each);
    bar.finish_and_clear();
    played.map_err(|fault| unfinished(fault, &plan.setup))?;
    let stage = if plan.first_stage.is_some() {
        " of the finals"
    } else {
        ""
    };
    note(&format!(
        "  {}{stage} played in this run, {of_shard} of {of_shard} in {}",
        counted(live.blocks, "block"),
        args.shard.file("log")
    ));
    Ok(())
}

/// Describes the current leader, for the progress bar.
fn leader(tally: &TournamentTally<'_>) -> String {
    let mean = |bot: &BotTally| bot.shares.iter().sum::<f64>() / bot.shares.len().max(1) as f64;
    let bots = tally.bots.iter().zip(&tally.plan().setup.bots);
    let best = bots.max_by(|a, b| mean(a.0).total_cmp(&mean(b.0)));
    best.map_or_else(String::new, |(bot, spec)| {
        let share =
            risk_stats::shares::share(&bot.shares, tally.plan().design.games_per_block(), ALPHA);
        match share.map(|share| share.interval) {
            Ok(Ok(limits)) => format!(
                "{} {:.0}–{:.0}%",
                spec.name,
                100.0 * limits.low,
                100.0 * limits.high
            ),
            _ => spec.name.clone(),
        }
    })
}
