"""What SRDF files say of a robot beside its URDF: pairs that may touch, groups of joints, and named states."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from xml.etree import ElementTree


class States(dict[tuple[str, str], dict[str, float]]):
    """Named states, which say what there is where one is missing."""

    def __missing__(self, key: object) -> dict[str, float]:
        raise KeyError(f"there is no state {key!r}, must be one of {[*self]}")


@dataclass(frozen=True, eq=False)
class Srdf:
    """An SRDF file.

    Attributes
    ----------
    disabled
        The pairs of links that are not checked, by name.
    disabled_links, enabled
        Links that are checked against no other, and the pairs that are all the same.
    groups
        What each group consists of: pairs of ``"joint"``, ``"link"`` or ``"group"`` and a name, or of ``"chain"`` and the names of its two links.
    states
        The numbers of joints in each named state, by the names of the group and of the state: see `Robot.configuration`.

    Examples
    --------
    >>> from clearance.robot import Srdf
    >>> found = Srdf.parse('''<robot name="r"><group name="arm"><joint name="turn"/></group>
    ...   <group_state name="home" group="arm"><joint name="turn" value="0.5"/></group_state>
    ...   <disable_collisions link1="base" link2="hand" reason="Never"/></robot>''')
    >>> found.disabled, found.states["arm", "home"]
    ([('base', 'hand')], {'turn': 0.5})
    """

    disabled: list[tuple[str, str]]
    disabled_links: list[str]
    enabled: list[tuple[str, str]]
    groups: dict[str, list[tuple[str, ...]]]
    states: States

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Srdf:
        """What a file says, which must be something of groups, states or pairs."""
        with open(path, encoding="utf-8") as file:
            found = cls.parse(file.read(), os.fspath(path))
        if not any(vars(found).values()):
            raise ValueError(f"{os.fspath(path)}: says nothing of groups, states or pairs, must be an SRDF file")
        return found

    @classmethod
    def parse(cls, text: str, name: str = "srdf") -> Srdf:
        """What the text of a file says; ``name`` is for errors."""
        try:
            root = ElementTree.fromstring(text)
        except ElementTree.ParseError as problem:
            raise ValueError(f"{name}: {problem}") from None

        def of(element: ElementTree.Element, *attributes: str) -> tuple[str, ...]:
            for attribute in attributes:
                if attribute not in element.attrib:
                    raise ValueError(f"{name}: a <{element.tag}> has no attribute {attribute!r}")
            return tuple(element.attrib[attribute] for attribute in attributes)

        def pairs(tag: str) -> list[tuple[str, str]]:
            found = [of(element, "link1", "link2") for element in root.iter(tag)]
            return [(first, second) for first, second in found]

        def member(element: ElementTree.Element) -> tuple[str, ...]:
            return (element.tag, *of(element, *(("base_link", "tip_link") if element.tag == "chain" else ("name",))))

        def numbers(state: ElementTree.Element) -> dict[str, float]:
            found = {}
            for joint in state.iter("joint"):
                title, value = of(joint, "name", "value")
                try:
                    given = [float(part) for part in value.split()]
                except ValueError:
                    raise ValueError(f"{name}: joint {title!r} has the value {value!r}, must be numbers") from None
                # Joints of several numbers, which float or roll, are none of a robot here.
                if len(given) == 1:
                    found[title] = given[0]
            return found

        groups = {of(group, "name")[0]: [member(element) for element in group] for group in root.findall("group")}
        found = [(of(state, "group", "name"), numbers(state)) for state in root.iter("group_state")]
        states = States({(group, title): joints for (group, title), joints in found})
        links = [of(element, "link")[0] for element in root.iter("disable_default_collisions")]
        return cls(pairs("disable_collisions"), links, pairs("enable_collisions"), groups, states)

    @property
    def links(self) -> list[str]:
        """The names of all links that it speaks of."""
        pairs = [name for pair in [*self.disabled, *self.enabled] for name in pair]
        members = [name for group in self.groups.values() for tag, *names in group if tag in ("link", "chain") for name in names]
        return [*members, *pairs, *self.disabled_links]

    def allowed(self, links: Collection[str]) -> list[tuple[str, str]]:
        """The pairs of some links that may touch."""
        kept = {frozenset(pair) for pair in self.enabled}
        every = [(one, other) for one in self.disabled_links for other in links if one in links and one != other]
        found = [pair for pair in self.disabled if pair[0] in links and pair[1] in links]
        return found + [pair for pair in every if frozenset(pair) not in kept]
