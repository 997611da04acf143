import type { Rule, Tree, Violation } from './tree.ts'

/**
 * Folders of one machine, in parts so that this file names none; `ours/work.ts` is another matter.
 */
const MACHINE_FOLDERS = ['work', 'root', 'tmp/BRIEF', 'home/[a-z]+']
const MACHINE_PATH = new RegExp(`(?<![\\w.\\-/:}])/(${MACHINE_FOLDERS.join('|')})(?=$|[/"'\\s.])`)
const LOCK = 'package-lock.json'
const REGISTRY = 'https://registry.npmjs.org/'

/** Each page has exactly one title. */
export const pagesHaveOneTitle: Rule = (tree) =>
  [...tree.files.values()]
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => {
      const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '')
      const titles = prose.split('\n').filter((line) => /^# \S/.test(line)).length
      return titles === 1
        ? []
        : [{ path, line: 1, says: `has ${titles} titles, exactly one wanted` }]
    })

/** No file knows a folder of the machine it was written on. */
export const noMachinePaths: Rule = (tree) =>
  eachLine(tree, (line) => {
    const found = MACHINE_PATH.exec(line)?.[0]
    return found === undefined ? null : `names ${found}, a folder of one machine`
  })

/** Every package is locked to the public registry, also if it was fetched from a mirror. */
export const lockIsPortable: Rule = (tree) =>
  eachLine(tree, (line, path) => {
    if (path === LOCK) {
      const url = /"resolved": "(?!file:|[a-z-]+")([^"]*)"/.exec(line)?.[1] ?? REGISTRY
      return url.startsWith(REGISTRY) ? null : `is locked to ${url}, not to ${REGISTRY}`
    }
    return path.endsWith('.npmrc') && /registry\s*=/.test(line) ? 'names a registry' : null
  })

function eachLine(tree: Tree, judge: (line: string, path: string) => string | null): Violation[] {
  return [...tree.files.values()].flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const says = judge(line, path)
      return says === null ? [] : [{ path, line: index + 1, says }]
    }),
  )
}
