import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { type Page, proseOf } from './pages.ts'

const LINK = /\[(?:[^\]]|\n)*?\]\(([^)\s]+)\)/g

/** Links of pages that lead nowhere: to no file, or to no heading of a page. */
export function brokenLinks(root: string, pages: readonly Page[]): string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  return pages.flatMap((page) =>
    targetsIn(page)
      .filter((target) => !leadsSomewhere(root, byPath, page, target))
      .map((target) => `${page.path}: ${target}`),
  )
}

function targetsIn(page: Page): string[] {
  return [...proseOf(page).matchAll(LINK)].map(([, target = '']) => target)
}

function leadsSomewhere(
  root: string,
  byPath: ReadonlyMap<string, Page>,
  page: Page,
  target: string,
): boolean {
  if (/^https:\/\/[^/]+/.test(target)) return true
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? page.path : normalize(join(dirname(page.path), file))
  if (path.startsWith('..') || !existsSync(join(root, path))) return false
  if (anchor === undefined) return true
  const there = byPath.get(path)
  return there !== undefined && anchorsOf(there).has(anchor)
}

/** The anchors that a page's headings have where repositories are shown. */
export function anchorsOf(page: Page): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let numbered = slug
    for (let count = 1; anchors.has(numbered); count += 1) numbered = `${slug}-${count}`
    anchors.add(numbered)
    // The catalogue of errors is served with its codes as they are written.
    anchors.add(heading.trim())
  }
  return anchors
}
