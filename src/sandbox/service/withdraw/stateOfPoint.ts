import { createRequire } from 'node:module'

/** A point on land, in degrees. */
type Point = { lat: number; lng: number }

/** The parts of a TopoJSON file (TopoJSON format specification 1.0) that the states use. */
type Topology = {
  transform: { scale: [number, number]; translate: [number, number] }
  arcs: [number, number][][]
  objects: { states: { geometries: StateShape[] } }
}
type StateShape =
  | { type: 'Polygon'; id: string; arcs: number[][] }
  | { type: 'MultiPolygon'; id: string; arcs: number[][][] }

/** Postal codes (as in ISO 3166-2:US) by FIPS 5-2 number, which identifies a state in data of the Census Bureau. */
const postalCodes = new Map(
  `01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA 26MI 27MN
  28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX 49UT 50VT 51VA 53WA
  54WV 55WI 56WY 60AS 66GU 69MP 72PR 78VI`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), entry.slice(2)]),
)

let topology: Topology | undefined

/** Returns the US state or territory at a point, by the Census Bureau's borders; undefined elsewhere. */
export function stateOfPoint(point: Point): string | undefined {
  // Read on first use. The dependency ships this file in a fixed format.
  topology ??= createRequire(import.meta.url)('us-atlas/states-10m.json') as Topology
  const known = topology
  const found = known.objects.states.geometries.find((state) => {
    const rings = state.type === 'Polygon' ? state.arcs : state.arcs.flat()
    return rings.filter((arcs) => crossings(known, arcs, point) % 2 === 1).length % 2 === 1
  })
  return found && postalCodes.get(found.id)
}

/** Counts how often a line from the point to the east crosses a ring. An odd count means that the point is inside. */
function crossings({ arcs, transform }: Topology, ring: readonly number[], { lat, lng }: Point): number {
  const { scale, translate } = transform
  const x = (lng - translate[0]) / scale[0]
  const y = (lat - translate[1]) / scale[1]
  let count = 0
  for (const index of ring) {
    // ~index is the same arc in reverse, which has the same crossings. Each point is relative to the previous one.
    let [fromX, fromY] = [0, 0]
    for (const [position, [dx, dy]] of (arcs[index < 0 ? ~index : index] ?? []).entries()) {
      const [toX, toY] = [fromX + dx, fromY + dy]
      const isCrossed = position > 0 && fromY > y !== toY > y
      if (isCrossed && x < fromX + ((toX - fromX) * (y - fromY)) / (toY - fromY)) count++
      ;[fromX, fromY] = [toX, toY]
    }
  }
  return count
}
