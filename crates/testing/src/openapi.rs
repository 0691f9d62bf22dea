//! The descriptions of the protocols, which real traffic must fit.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::by_case::root;

/// The description of a protocol in docs/openapi.
pub struct Api(Value);

impl Api {
    pub fn read(name: &str) -> Self {
        let path = root().join(format!("docs/openapi/{name}.yaml"));
        let text = std::fs::read_to_string(path).unwrap();
        let value: Value =
            serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let spec =
            oas3::from_json(value.to_string()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(spec.validate_version().is_ok(), "{name}");
        for (id, method, operation) in spec.operations() {
            assert!(
                operation.operation_id.is_some() && operation.summary.is_some(),
                "{name}: {method} {id}"
            );
        }
        let api = Self(value);
        api.references(&api.0, name);
        for (schema, _) in api.0["components"]["schemas"].as_object().unwrap() {
            let schema = api.schema(schema);
            assert!(
                jsonschema::draft202012::meta::is_valid(&schema),
                "{name}: {schema}"
            );
        }
        api
    }

    /// Checks that every reference has a target.
    fn references(&self, value: &Value, name: &str) {
        match value {
            Value::Object(keys) => {
                if let Some(to) = keys.get("$ref").and_then(Value::as_str) {
                    assert!(
                        self.0.pointer(to.strip_prefix('#').unwrap()).is_some(),
                        "{name}: {to}"
                    );
                }
                keys.values().for_each(|value| self.references(value, name));
            }
            Value::Array(items) => items.iter().for_each(|value| self.references(value, name)),
            _ => {}
        }
    }

    /// Returns a named schema together with the components that it needs.
    fn schema(&self, name: &str) -> Value {
        assert!(
            self.0["components"]["schemas"][name].is_object(),
            "there is no schema {name}"
        );
        json!({ "$ref": format!("#/components/schemas/{name}"), "components": self.0["components"] })
    }

    pub fn fits(&self, name: &str, value: &Value) -> Result<(), String> {
        let validator = jsonschema::draft202012::new(&self.schema(name)).unwrap();
        validator
            .validate(value)
            .map_err(|error| format!("{name}: {error} at {} in {value}", error.instance_path()))
    }

    pub fn check(&self, name: &str, value: &Value) {
        self.fits(name, value).unwrap();
    }

    pub fn paths(&self) -> BTreeSet<String> {
        self.0["paths"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    }
}
