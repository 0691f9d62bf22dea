"""Makes the shapes of maps from Natural Earth's countries, which are in the public domain.

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    pip install shapely
    python docs/shapes/make.py package/countries-50m.json

It reads `world.json` and `europe.json` beside it, which say for each territory what countries, or what parts of them, it
has, and writes `shape` and `at` of each territory into maps/*.yaml. It prints how much of the land is covered, where
territories touch that have no border, and where a border has no common line.
"""

import json
import math
import re
import sys
from pathlib import Path

import shapely
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, shape
from shapely.ops import polygonize, unary_union

HERE = Path(__file__).resolve().parent
MAPS = HERE.parent.parent / "maps"


def miller(lon, lat):
    return math.radians(lon), -1.25 * math.log(math.tan(math.pi / 4 + 0.4 * math.radians(lat)))


def azimuthal(lon, lat, middle):
    """Lambert's, of equal areas."""
    lon, lat = math.radians(lon - middle[0]), math.radians(lat)
    top = math.radians(middle[1])
    near = 1 + math.sin(top) * math.sin(lat) + math.cos(top) * math.cos(lat) * math.cos(lon)
    stretch = math.sqrt(2 / near)
    x = stretch * math.cos(lat) * math.sin(lon)
    y = stretch * (math.cos(top) * math.sin(lat) - math.sin(top) * math.cos(lat) * math.cos(lon))
    return x, -y


def countries(path):
    """Countries by name, in degrees, from TopoJSON."""
    topology = json.loads(Path(path).read_text())
    (kx, ky), (dx, dy) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for step in arc:
            x, y = x + step[0], y + step[1]
            points.append((x * kx + dx, y * ky + dy))
        arcs.append(points)

    def ring(numbers):
        points = []
        for number in numbers:
            part = arcs[number] if number >= 0 else arcs[~number][::-1]
            points += part[1:] if points else part
        # Rings run over the 180th meridian without a cut.
        for n in range(1, len(points)):
            (before, _), (x, y) = points[n - 1], points[n]
            points[n] = (x + 360 * round((before - x) / 360), y)
        return points

    found = {}
    for thing in topology["objects"]["countries"]["geometries"]:
        if "arcs" not in thing:
            continue
        many = thing["arcs"] if thing["type"] == "MultiPolygon" else [thing["arcs"]]
        parts = []
        for rings in many:
            rings = [ring(each) for each in rings]
            parts.append(shapely.make_valid(Polygon(rings[0], rings[1:])))
        found[thing["properties"]["name"]] = parts
    return found


def polygons(geometry):
    if geometry.is_empty:
        return []
    if geometry.geom_type == "Polygon":
        return [geometry]
    return [part for each in getattr(geometry, "geoms", []) for part in polygons(each)]


def around(part, west):
    """The part east of the meridian at which the map is cut: what lies west of it comes again at the right."""
    left, _, right, _ = part.bounds
    turns = math.ceil((west - (left + right) / 2) / 360)
    return shapely.transform(part, lambda points: points + (360 * turns, 0))


def dense(geometry, step=0.5):
    return shapely.segmentize(geometry, step)


class Plane:
    """The picture's coordinates."""

    def __init__(self, spec):
        self.spec = spec
        kind = spec["projection"]
        flat = miller if kind == "miller" else (lambda lon, lat: azimuthal(lon, lat, spec["middle"]))
        corners = [flat(*point) for point in spec["corners"]]
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        wide = max(x for x, _ in corners) - left
        self.scale = spec["width"] / wide
        self.flat, self.left, self.top = flat, left, top
        self.height = (max(y for _, y in corners) - top) * self.scale
        self.frame = shapely.box(0, 0, spec["width"], self.height)

    def point(self, lon, lat):
        x, y = self.flat(lon, lat)
        return (x - self.left) * self.scale, (y - self.top) * self.scale

    def project(self, geometry):
        return shapely.transform(
            geometry, lambda points: [self.point(lon, lat) for lon, lat in points]
        )


def faces(spec, atlas, plane):
    """The land in pieces that lie in one country and on one side of each cut, with their countries."""
    pieces = []
    box = shapely.box(*spec["degrees"]) if "degrees" in spec else None
    for name, parts in atlas.items():
        for part in [] if name in spec.get("without", []) else parts:
            part = around(part, spec["west"])
            for piece in polygons(part.intersection(box) if box else part):
                flat = shapely.make_valid(plane.project(dense(piece)))
                pieces += [(name, each) for each in polygons(flat.intersection(plane.frame))]
    lines = [piece.boundary for _, piece in pieces]
    cuts = {
        name: plane.project(dense(Polygon(points))) for name, points in spec["parts"].items()
    }
    lines += [cut.boundary for cut in cuts.values()]
    lines = shapely.set_precision(unary_union(lines), 1e-3)
    tree = shapely.STRtree([piece for _, piece in pieces])
    found = []
    for face in polygonize(lines):
        inside = face.representative_point()
        for index in tree.query(inside, predicate="intersects"):
            sides = {name for name, cut in cuts.items() if cut.contains(inside)}
            found.append((face, pieces[index][0], sides))
            break
    return found


def territories(spec, found):
    """The pieces of each territory, and those of none."""
    gathered = {name: [] for name in spec["territories"]}
    rest = []
    for face, country, sides in found:
        for name, wanted in spec["territories"].items():
            if any(
                country == each if isinstance(each, str) else country == each[0] and each[1] in sides
                for each in wanted
            ):
                gathered[name].append(face)
                break
        else:
            rest.append((country, face))
    return gathered, rest


def simplified(spec, gathered):
    """Shapes that still share their lines, without the smallest islands, in whole numbers."""
    names = list(gathered)
    whole = [unary_union(gathered[name]) for name in names]
    kept = []
    for name, each in zip(names, whole):
        parts = sorted(polygons(each), key=lambda part: -part.area)
        least = spec.get("islands", {}).get(name, spec["least"])
        kept.append(MultiPolygon([part for n, part in enumerate(parts) if n == 0 or part.area >= least]))
    simple = shapely.coverage_simplify(kept, spec["tolerance"])
    shapes = {}
    for name, each in zip(names, simple):
        parts = []
        for part in polygons(each):
            rings = [rounded(part.exterior)] + [
                rounded(hole) for hole in part.interiors if Polygon(hole).area >= spec["least"]
            ]
            rings = [ring for ring in rings if len(ring) >= 3]
            if rings:
                parts.append(rings)
        shapes[name] = parts
    return shapes


def rounded(ring):
    points = []
    for x, y in ring.coords[:-1]:
        point = (round(x), round(y))
        if not points or points[-1] != point:
            points.append(point)
    while len(points) > 1 and points[0] == points[-1]:
        points.pop()
    # A hair that rounding has made goes there and back.
    changed = True
    while changed and len(points) > 2:
        changed = False
        for n in range(len(points)):
            if points[n - 1] == points[(n + 1) % len(points)]:
                for index in sorted({n, (n + 1) % len(points)}, reverse=True):
                    points.pop(index)
                changed = True
                break
    return points


def path(parts):
    """Path data: each ring goes on from its first corner by steps."""
    text = ""
    for rings in parts:
        for ring in rings:
            (x, y), steps = ring[0], []
            text += f"M{x} {y}l"
            for nx, ny in ring[1:]:
                steps.append(f"{nx - x} {ny - y}")
                x, y = nx, ny
            text += " ".join(steps).replace(" -", "-") + "z"
    return text


def solid(parts):
    return shapely.make_valid(
        unary_union([shapely.make_valid(Polygon(rings[0], rings[1:])) for rings in parts])
    )


def label(spec, name, parts):
    """A point well inside the largest part."""
    if name in spec.get("at", {}):
        return tuple(spec["at"][name])
    largest = max((Polygon(rings[0], rings[1:]) for rings in parts), key=lambda each: each.area)
    circle = shapely.maximum_inscribed_circle(shapely.make_valid(largest), tolerance=0.5)
    x, y = circle.coords[0]
    return round(x), round(y)


def written(text, shapes, places):
    """The map with these shapes and places."""
    lines = []
    current = None
    for line in text.splitlines():
        if re.match(r"\s+shape: ", line):
            continue
        flow = re.match(r"  - \{ id: ([\w-]+), ", line)
        if flow and flow[1] in shapes:
            name = flow[1]
            line = re.sub(r", shape: \"[^\"]*\"", "", line)
            line = re.sub(r"at: \[[^]]*\]", "at: [%d, %d]" % places[name], line)
            line = line[: line.rindex(" }")] + f', shape: "{path(shapes[name])}" }}'
        block = re.match(r"  - id: ([\w-]+)$", line)
        current = block[1] if block else current
        if current in shapes and re.match(r"    at: ", line):
            lines.append("    at: [%d, %d]" % places[current])
            line = f'    shape: "{path(shapes[current])}"'
        lines.append(line)
    return "\n".join(lines) + "\n"


def borders(text):
    found = set()
    for block in re.split(r"\n  - ", text):
        name, list_ = re.search(r"id: ([\w-]+)", block), re.search(r"borders: \[([^]]*)\]", block)
        if name and list_:
            found |= {frozenset((name[1], other.strip())) for other in list_[1].split(",")}
    return found


def report(spec, shapes, rest, found, text):
    flat = {name: solid(parts) for name, parts in shapes.items()}
    land = unary_union([face for face, _, _ in found])
    drawn = unary_union(list(flat.values()))
    both = drawn.intersection(land).area
    overlap = both / drawn.union(land).area
    print(f"{spec['map']}: overlap {overlap:.3f}", end=", ")
    if overlap < spec["overlap"]:
        raise SystemExit(f"less than {spec['overlap']}")
    print(f"{sum(len(path(parts)) for parts in shapes.values()):,} bytes of shapes")
    others = {}
    for country, face in rest:
        others[country] = others.get(country, 0) + face.area
    large = sorted(((area, country) for country, area in others.items() if area > 20), reverse=True)
    print("  in no territory:", ", ".join(f"{country} {area:.0f}" for area, country in large))
    wanted = borders(text)
    names = list(flat)
    for n, one in enumerate(names):
        for other in names[n + 1 :]:
            length = flat[one].boundary.intersection(flat[other].boundary).length
            if (length > 0) != (frozenset((one, other)) in wanted):
                what = f"touch by {length:.0f} and have no border" if length else "are apart"
                gap = flat[one].distance(flat[other])
                print(f"  {one}, {other} {what}" + (f" by {gap:.0f}" if not length else ""))
    for name, parts in shapes.items():
        small = flat[name].area
        if small < 150:
            print(f"  {name} is small: {small:.0f}")


def main():
    atlas = countries(sys.argv[1])
    for file in sys.argv[2:] or ["world.json", "europe.json"]:
        spec = json.loads((HERE / file).read_text())
        plane = Plane(spec)
        found = faces(spec, atlas, plane)
        gathered, rest = territories(spec, found)
        for name, parts in gathered.items():
            if not parts:
                raise SystemExit(f"{name} has no land")
        shapes = simplified(spec, gathered)
        places = {name: label(spec, name, parts) for name, parts in shapes.items()}
        text = (MAPS / f"{spec['map']}.yaml").read_text()
        report(spec, shapes, rest, found, text)
        (MAPS / f"{spec['map']}.yaml").write_text(written(text, shapes, places))
        for copy, names in spec.get("copies", {}).items():
            called = lambda all: {names.get(name, name): each for name, each in all.items()}
            text = (MAPS / f"{copy}.yaml").read_text()
            (MAPS / f"{copy}.yaml").write_text(written(text, called(shapes), called(places)))


if __name__ == "__main__":
    main()
