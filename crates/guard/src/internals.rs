//! The parts of Rhai that this crate relies on, for updates of Rhai.
//!
//! The workspace fixes `rhai` 1.27.0 with the features `std`, `internals`, `metadata`, `no_time`,
//! `no_custom_syntax`, `no_closure` and `debugging`. `internals` promises nothing between versions.
//! The tables list what this crate relies on, and each row names its test in
//! `crates/guard/tests/it`, which asks Rhai itself, without this crate. After an update of Rhai
//! these tests come first: one that fails names the code to look at. Even if only a number of
//! operations differs, budgets and records of games differ too, and a new version of this program
//! has to say so.
//!
//! # Scripts as they are parsed
//!
//! Used by [`compile`](crate::compile), [`syntax`](crate::syntax), the checks of calls, callbacks
//! and namespaces, the limits on constants, the choice of operators, and the engine's lints.
//!
//! | relied on | for | test |
//! |---|---|---|
//! | A call is `Expr::FnCall`, `Expr::MethodCall` or, after the optimiser, `Stmt::FnCall`; arguments leave the object out; `AST::walk` reaches interpolations and nameless functions | `syntax::call_of`, checks of calls | `calls_are_three_kinds_of_nodes` |
//! | `a - b` is a call with `op_token`; `a -= b` an assignment whose operator is `Token::Minus` | whether operators may be fast | `operators_are_calls_with_a_token` |
//! | Literals of maps keep names and places of their keys, those of nested maps too | places of settings and declarations | `map_literals_keep_their_keys_with_places` |
//! | A nameless function is a constant `FnPtr` and a function, both named `anon$…`; `Fn("f")` is a call with a text | parameters of callbacks, kept functions | `nameless_functions_are_constants_and_functions` |
//! | The top of a file is `Stmt::Import`, `Stmt::Var` with `ASTFlags::CONSTANT`, `Stmt::Noop`, and others | what may be outside functions, imports | `the_top_of_a_file_is_statements` |
//! | A chain that is assigned to ends in `Expr::Property` after `Dot` and `Index`; `ASTFlags::BREAK` ends it | `.key = …` is compiled as `["key"] = …` | `keys_that_are_assigned_end_their_chain` |
//! | Names of `for`, `catch`, variables and namespaces are where the patterns look | types of variables, namespaces | `names_of_loops_catches_and_variables_are_where_they_were` |
//! | `get_script_fn` finds a function by its name and number of parameters; its body begins and ends at its braces; `this` is `Expr::ThisPtr` | functions that hide methods | `functions_know_their_places_and_this` |
//! | The optimiser folds constants of a scope into functions, except the head of a chain; without it the top is left as it is | constants, and their limits | `the_optimiser_folds_constants_into_functions_but_not_heads_of_chains` |
//! | Strict variables refuse names that are unknown, namespaces too, and those around a nameless function | misspelled names are errors before a game | `strict_variables_refuse_unknown_names_and_what_is_around_a_function` |
//! | `disable_symbol` makes `eval`, `curry` and `print` errors of the parser | no code from texts, no growing closures | `symbols_that_are_disabled_are_no_names` |
//! | `on_parse_token` sees every token, and may put an error in its place | limits on the text of a script | `every_token_is_seen_and_can_be_refused` |
//! | `type_of`, `is_def_fn`, `is_def_var`, `Fn` and `call` need no function of the engine | known calls | `what_the_language_has_itself_needs_no_function` |
//!
//! # Scripts as they run
//!
//! Used by [`engine`](crate::engine), [`guard`](crate::guard), [`each`](crate::each),
//! [`meter`](crate::meter), [`fault`](crate::fault) and [`tracer`](crate::tracer).
//!
//! | relied on | for | test |
//! |---|---|---|
//! | `on_progress` is called at the same nodes, in callbacks of functions too | budgets, the same on every machine and in every version | `operations_are_counted_as_they_were` |
//! | What `on_progress` returns ends the call, and no `catch` stops that | a call that was stopped stays stopped | `what_ends_a_call_is_not_caught_by_the_script` |
//! | `Engine::new_raw` has no function, and the packages none that reads, sleeps, exits or draws numbers | scripts can do nothing but compute | `a_raw_engine_has_no_clock_file_exit_or_sleep` |
//! | Metadata has the types of parameters, `&mut` and results of each function | bounds of the library's functions, fast operators | `functions_say_their_types_and_results` |
//! | Functions of the engine come before modules, and the module that was registered last before others | guards take the place of the library's functions | `the_module_that_was_registered_last_is_asked_first` |
//! | Fast operators ask no function; others do | charges for `-` of texts and `+=` of arrays | `operators_are_looked_up_where_they_are_not_fast` |
//! | `NativeCallContext::new_with_all_fields` and `call_native_fn_raw` call a function of another engine | guards hand calls on | `a_function_may_call_those_of_another_engine` |
//! | An error has one `ErrorInFunctionCall` for each call in the script, and ends in its place | chains of calls in messages | `errors_hold_one_call_a_level` |
//! | `EvalContext::call_fn_raw` runs functions of `GlobalRuntimeState::lib`, more than once with the same `Caches`; its own level has no position | one thread of calls for each script | `functions_are_called_with_what_earlier_calls_looked_up` |
//! | The debugger stops at each node with its line, and once at the end of each call | profiles by line and function | `the_debugger_stops_at_each_node_and_once_at_the_end_of_a_call` |
//! | Sizes are looked at after calls and after `.key = …`, and not after `["key"] = …` | charges for that look; memory bounds the rest | `sizes_are_checked_after_calls_and_points_but_not_after_brackets` |
//! | A value takes 16 bytes, and maps are in the order of their keys | limits on memory, the same games everywhere | `values_are_small_and_maps_in_order` |
//! | `type_name` of values | kinds of values in messages | `values_have_the_names_that_messages_turn_into_words` |
//! | Kinds of errors, and `anon$` in signatures | messages of this program | `messages_begin_as_the_crate_expects` |
