//! The internals of Rhai that this crate relies on, to be checked after an update of Rhai.
//!
//! The workspace fixes `rhai` 1.27.0 with the features `std`, `internals`, `metadata`, `no_time`,
//! `no_custom_syntax` and `no_closure`. The feature `internals` has no stability guarantee. The
//! tables below list what this crate relies on. Each row names its test in `crates/guard/tests/it`,
//! which uses Rhai directly, without this crate. After an update of Rhai, run these tests first: a
//! failed test shows which code to check. Even if only a number of operations differs, budgets and
//! game records change too, so a new version of this program must announce the change.
//!
//! # Parsing
//!
//! This section concerns [`compile`](crate::compile), [`syntax`](crate::syntax), the checks of
//! calls, callbacks and namespaces, the limits on constants, the compiler of functions, and the
//! engine's lints.
//!
//! | assumption | used for | test |
//! |---|---|---|
//! | A call is `Expr::FnCall`, `Expr::MethodCall` or, after the optimiser, `Stmt::FnCall`; the arguments exclude the object; `AST::walk` visits interpolations and anonymous functions | `syntax::call_of`, checks of calls | `calls_are_three_kinds_of_nodes` |
//! | `a - b` is a call with `op_token`; `a -= b` is an assignment whose operator is `Token::Minus` | compiling operators | `operators_are_calls_with_a_token` |
//! | Map literals, including nested ones, retain the names and positions of their keys | the positions of settings and declarations | `map_literals_keep_their_keys_with_places` |
//! | An anonymous function is a constant `FnPtr` and a function, both named `anon$…`; `Fn("f")` is a call with a string | the parameters of callbacks, stored functions | `nameless_functions_are_constants_and_functions` |
//! | The top level of a file consists of `Stmt::Import`, `Stmt::Var` with `ASTFlags::CONSTANT`, `Stmt::Noop` and other statements | the code allowed outside functions, imports | `the_top_of_a_file_is_statements` |
//! | The patterns in this crate match the names of `for`, `catch`, variables and namespaces | the types of variables, namespaces | `names_of_loops_catches_and_variables_are_where_they_were` |
//! | `get_script_fn` finds a function by its name and number of parameters; the function's body begins and ends at its braces; `this` is `Expr::ThisPtr` | functions that hide methods | `functions_know_their_places_and_this` |
//! | `AST::walk` visits the statements of a function's body with a path of length 1, in order | compiling functions | `the_statements_of_a_body_are_walked_in_order` |
//! | The cases of a `switch` are stored by the hash of their values, by `ahash` | compiling `switch` | `cases_are_stored_by_their_hash` |
//! | The optimiser replaces a scope's constants in functions, except at the head of a chain; without the optimiser, the top level remains unchanged | constants and their limits | `the_optimiser_folds_constants_into_functions_but_not_heads_of_chains` |
//! | With strict variables, Rhai rejects unknown names and namespaces, and outer variables in anonymous functions | reporting misspelled names before a game | `strict_variables_refuse_unknown_names_and_what_is_around_a_function` |
//! | After `disable_symbol`, the parser rejects `eval`, `curry` and `print` | preventing code from strings and growing closures | `symbols_that_are_disabled_are_no_names` |
//! | `on_parse_token` receives every token and may replace it with an error | the limits on a script's text | `every_token_is_seen_and_can_be_refused` |
//! | `type_of`, `is_def_fn`, `is_def_var`, `Fn` and `call` need no functions of the engine | the known calls | `what_the_language_has_itself_needs_no_function` |
//!
//! # Execution
//!
//! This section concerns [`engine`](crate::engine), [`guard`](crate::guard),
//! [`meter`](crate::meter), [`fault`](crate::ScriptFault) and [`tracer`](crate::tracer).
//!
//! | assumption | used for | test |
//! |---|---|---|
//! | `on_progress` is always called at the same nodes, including callbacks of functions | identical budgets on every machine and in every version | `operations_are_counted_as_they_were` |
//! | A value returned by `on_progress` ends the call, and `catch` can't prevent it | keeping stopped calls stopped | `what_ends_a_call_is_not_caught_by_the_script` |
//! | `Engine::new_raw` has no functions, and no function in the packages reads files, sleeps, exits or draws random numbers | restricting scripts to computation | `a_raw_engine_has_no_clock_file_exit_or_sleep` |
//! | Metadata contains the parameter types (including `&mut`) and the result type of each function | the bounds of the library's functions, finding functions | `functions_say_their_types_and_results` |
//! | Functions of the engine take precedence over modules, and the module registered last takes precedence over other modules | the judge in the tests, which replaces the library's functions with guards | `the_module_that_was_registered_last_is_asked_first` |
//! | `NativeCallContext::new_with_all_fields` and `call_native_fn_raw` call a function of another engine | calling the functions of packages; the judge in the tests | `a_function_may_call_those_of_another_engine` |
//! | An error contains one `ErrorInFunctionCall` for each call in the script, and its innermost error has the position | the chains of calls in messages | `errors_hold_one_call_a_level` |
//! | `EvalContext::call_fn_raw` runs functions of `GlobalRuntimeState::lib`; the outermost call has no position | the judge in the tests | `functions_are_called_with_what_earlier_calls_looked_up` |
//! | `Caches` hold each function in Rust that was called twice | finding the functions of packages and the language's operators | `functions_that_were_called_twice_are_remembered` |
//! | Rhai checks sizes after calls and after `.key = …`, but not after `["key"] = …` | the judge in the tests | `sizes_are_checked_after_calls_and_points_but_not_after_brackets` |
//! | A value takes 16 bytes, and maps are sorted by key | memory limits, identical games on every machine | `values_are_small_and_maps_in_order` |
//! | `type_name` returns stable names of value types | the kinds of values in messages | `values_have_the_names_that_messages_turn_into_words` |
//! | The kinds of errors, and `anon$` in signatures, are unchanged | the messages of this program | `messages_begin_as_the_crate_expects` |
