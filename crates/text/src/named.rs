//! Enums whose values have names.

/// Defines an enum whose values have names, with `ALL`, `as_str` and `from_name`.
///
/// ```
/// risk_text::named! {
///     /// A size.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
///     pub enum Size {
///         /// Below 10.
///         Small = "small",
///         /// From 10.
///         Large = "large",
///     }
/// }
///
/// assert_eq!(Size::ALL.map(Size::as_str), ["small", "large"]);
/// assert_eq!(Size::from_name("large"), Some(Size::Large));
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$of:meta])*
        $visible:vis enum $name:ident {
            $($(#[$about:meta])* $value:ident = $text:literal,)*
        }
    ) => {
        $(#[$of])*
        $visible enum $name {
            $($(#[$about])* $value,)*
        }

        #[allow(dead_code, reason = "not every enum needs all of them")]
        impl $name {
            /// All values, in their order.
            $visible const ALL: [Self; [$($text),*].len()] = [$(Self::$value),*];

            /// Returns the name.
            #[must_use]
            $visible const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)*
                }
            }

            /// Returns the value with this name.
            #[must_use]
            $visible fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }
    };
}
