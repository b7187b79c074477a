"""What unattended-upgrades would take, of a root folder: `unattended.py SCRIPT ROOT` prints its messages and changes nothing.

The program has no option for a root folder; its own tests call `main` as this does.
"""

import importlib.machinery
import importlib.util
import sys
import types


def main(script, root):
    loader = importlib.machinery.SourceFileLoader("unattended_upgrade", script)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    # It looks at its own command line, too.
    sys.argv = [script, "--dry-run", "--debug"]
    return module.main(
        types.SimpleNamespace(
            dry_run=True, debug=True, verbose=True, apt_debug=False, download_only=False, minimal_upgrade_steps=True,
            no_minimal_upgrade_steps=False, stop_only=False),
        root)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
