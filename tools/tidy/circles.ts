import { edgesOf, isTest, type Rule } from './tree.ts'

/**
 * No file reaches itself through what it imports; type imports and re-exports count like any other.
 */
export const noCircles: Rule = (tree) => {
  const graph = new Map(
    tree.sources
      .filter(({ path }) => /^[a-z-]+\/src\//.test(path) && !isTest(path))
      .map((source) => [
        source.path,
        edgesOf(tree, source).flatMap(({ to }) => (to === null ? [] : [to])),
      ]),
  )
  return circlesOf(graph).map((circle) => ({
    path: circle[0] ?? '',
    line: 1,
    says: `is in a circle of imports: ${[...circle, circle[0]].join(' -> ')}`,
  }))
}

/**
 * One circle for each knot of a graph, as the path that closes it. Depth first, each file entered
 * once.
 */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>()
  const circles: string[][] = []
  const enter = (path: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(path)
    if (seen !== -1) circles.push(trail.slice(seen))
    if (seen !== -1 || done.has(path)) return
    for (const next of graph.get(path) ?? []) enter(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) enter(path, [])
  return circles
}
