//! Registry values of a set-up, and what they were before.

use crate::script::{RegistryData, RegistryName, RegistryValue};
use anyhow::{Context, bail};
use windows_registry::{CLASSES_ROOT, CURRENT_USER, Key, LOCAL_MACHINE, Value};

/// A value that was set; when dropped, it is what it was.
pub(crate) struct Restore {
    name: RegistryName,
    before: Option<Value>,
}

/// Sets a value.
pub(crate) fn set(value: &RegistryValue) -> anyhow::Result<Restore> {
    let name = RegistryName { key: value.key.clone(), name: value.name.clone() };
    let told = || format!("cannot set {} of {}", value.name, value.key);
    let (root, path) = root(&value.key)?;
    let key = root.create(path).with_context(told)?;
    let before = key.get_value(&value.name).ok();
    match &value.value {
        RegistryData::Number(number) => key.set_u32(&value.name, *number),
        RegistryData::Text(text) => key.set_string(&value.name, text),
    }
    .with_context(told)?;
    Ok(Restore { name, before })
}

/// Removes values; those that are not there are no error.
pub(crate) fn remove(names: &[RegistryName]) -> anyhow::Result<()> {
    for RegistryName { key, name } in names {
        let (root, path) = root(key)?;
        if let Ok(key) = root.options().read().write().open(path) {
            let _ = key.remove_value(name);
        }
    }
    Ok(())
}

impl Drop for Restore {
    fn drop(&mut self) {
        let Ok((root, path)) = root(&self.name.key) else { return };
        let Ok(key) = root.options().read().write().open(path) else { return };
        let _ = match &self.before {
            Some(value) => key.set_value(&self.name.name, value),
            None => key.remove_value(&self.name.name),
        };
    }
}

fn root(key: &str) -> anyhow::Result<(&'static Key, &str)> {
    let (root, path) = key.split_once('\\').unwrap_or((key, ""));
    let root = match root.to_ascii_uppercase().as_str() {
        "HKCU" | "HKEY_CURRENT_USER" => CURRENT_USER,
        "HKLM" | "HKEY_LOCAL_MACHINE" => LOCAL_MACHINE,
        "HKCR" | "HKEY_CLASSES_ROOT" => CLASSES_ROOT,
        _ => bail!("a registry key begins with HKCU, HKLM or HKCR: {key}"),
    };
    Ok((root, path))
}
