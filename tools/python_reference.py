#!/usr/bin/env python3
"""Writes docs/python/reference.md: every public name of the Python package with its types and texts, read from its sources.

    python3 tools/python_reference.py

A test holds the page against the sources.
"""

import ast
import inspect
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python/bristle"
PAGE = ROOT / "docs/python/reference.md"

HEAD = """\
# Reference of the Python package

<!-- Written by tools/python_reference.py from the sources of the package: change the texts there. -->

Numbers are in SI units; where a number is taken, so is a text with a unit. The package has its types with it (`py.typed`),
so that an editor shows the same. [Start here](start.md).
"""
#: Title of a section, module, and its public names; all that a file has if there are none.
SECTIONS = [
    ("Laws", "bristle", ["law", "laws", "Law", "State", "Card", "Parameter", "Catalogue", "Jacobian", "Gradient",
                         "Derivatives", "Drive", "Characterisation", "Feature"]),
    ("Scenarios", "bristle", ["Scenario", "Run", "Session", "Modes", "Comparison", "LawResult", "Response", "Curve"]),
    ("Records and fits", "bristle", ["Record", "identify", "Fit", "Estimate", "calibrate", "Calibration"]),
    ("Sweeps", "bristle", ["sweep", "Sweep"]),
    ("Errors and warnings", "bristle", ["BristleError", "Diagnostic", "ScenarioError", "ParameterError", "RunFailed",
                                        "SessionError", "UnknownName", "IdentifyError", "SweepError", "Stopped",
                                        "ScenarioWarning"]),
    ("bristle.readers", "readers", []),
    ("bristle.interop", "interop/_stepper", []),
    ("bristle.interop.jax", "interop/jax", []),
    ("bristle.interop.torch", "interop/torch", []),
    ("bristle.interop.mujoco", "interop/mujoco", []),
    ("bristle.interop.exudyn", "interop/exudyn", []),
]  # fmt: skip


def text(node):
    """The words about a name, as Markdown."""
    words = inspect.cleandoc(ast.get_docstring(node) or "")
    words = re.sub(r":(?:class|meth|func|attr):`~?\.?([^`]+)`", r"`\1`", words)
    words = words.replace("``", "`")
    # what a session shows is a block; it ends with an empty line
    return re.sub(r"(?m)^(>>> .*(?:\n(?!\n).*)*)", r"```pycon\n\1\n\n```", words)


def signature(node, owner=""):
    """A function as it is called."""
    arguments = node.args
    for own in (arguments.posonlyargs, arguments.args):
        if owner and own and own[0].arg in ("self", "cls"):
            del own[0]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{owner}{node.name}({ast.unparse(arguments)}){returns}"
    if len(line) <= 110:
        return line
    # an argument a line
    parts, depth, begin = [], 0, 0
    inside = ast.unparse(arguments)
    for i, character in enumerate(inside):
        depth += (character in "[({") - (character in "])}")
        if character == "," and depth == 0:
            parts.append(inside[begin:i].strip())
            begin = i + 1
    parts.append(inside[begin:].strip())
    return f"{owner}{node.name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returns}"


def decorators(node):
    return {ast.unparse(d).split("(")[0].rpartition(".")[2] for d in node.decorator_list}


def function(node, owner=""):
    return ["```text", signature(node, owner), "```", "", text(node), ""]


def attributes(node, lines):
    """Fields with the comment above them, and properties."""
    for entry in node.body:
        if isinstance(entry, ast.AnnAssign) and not entry.target.id.startswith("_"):
            said, above = [], entry.lineno - 2
            while lines[above].strip().startswith("#:"):
                said.insert(0, lines[above].strip()[2:].strip())
                above -= 1
            words = " ".join(said).replace("``", "`")
            yield f"- `{entry.target.id}`: `{ast.unparse(entry.annotation)}`" + (f". {words}" if words else "")
        elif isinstance(entry, ast.FunctionDef) and "property" in decorators(entry) and entry.name[0] != "_":
            words = " ".join(text(entry).split())
            yield f"- `{entry.name}`: `{ast.unparse(entry.returns)}`. {words}"


def class_(node, lines):
    bases = [ast.unparse(base) for base in node.bases if "Mapping" in ast.unparse(base)]
    out = [f"### {node.name}", ""]
    out += [text(node) + (f" A mapping: `{bases[0]}`." if bases else ""), ""]
    named = list(attributes(node, lines))
    out += [*named, ""] if named else []
    for entry in node.body:
        if not isinstance(entry, ast.FunctionDef) or entry.name.startswith("_"):
            continue
        if decorators(entry) & {"property", "overload", "setter"}:
            continue
        out += function(entry, f"{node.name}." if "classmethod" in decorators(entry) else ".")
    return out


def definitions(paths):
    """Functions and classes by name, each with the lines of its file."""
    found = {}
    for path in paths:
        source = path.read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            is_named = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name[0] != "_"
            if is_named and not (isinstance(node, ast.FunctionDef) and "overload" in decorators(node)):
                found[node.name] = (node, source.splitlines())
    return found


def imported():
    """Where a name of the package itself is from."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    froms = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    return {a.name: PACKAGE / f"{node.module.rpartition('.')[2]}.py" for node in froms for a in node.names}


def page():
    places = imported()
    out = [HEAD]
    for title, module, names in SECTIONS:
        out += [f"## {title}", ""]
        if not names:
            path = PACKAGE / f"{module}.py"
            out += [text(ast.parse(path.read_text(encoding="utf-8"))), ""]
            own = definitions([path])
            own.pop("main", None)
            names = list(own)
        else:
            own = {name: definitions([places[name]])[name] for name in names}
        for name in names:
            node, lines = own[name]
            if isinstance(node, ast.ClassDef):
                out += class_(node, lines)
            else:
                out += [f"### {name}", "", *function(node)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).rstrip() + "\n"


def shown():
    """All names that the sections have of the package itself."""
    return {name for _, module, names in SECTIONS if module == "bristle" for name in names}


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
