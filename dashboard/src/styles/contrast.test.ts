import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const TOKENS = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const THEMES = ['light', 'dark'] as const
/** WCAG 2.2, 1.4.3: text; 1.4.11: borders of controls, focus rings, parts of charts. */
const TEXT_MIN = 4.5
const SHAPE_MIN = 3
const SURFACES = ['surface', 'surface-sunken', 'surface-hover']
const TONES = ['success', 'warning', 'danger', 'info', 'neutral']
const CHART = ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'chart-6']

const TEXTS: readonly (readonly [text: string, below: string])[] = [
  ...SURFACES.flatMap((below) => ['text', 'text-muted', 'accent', 'accent-hover'].map(on(below))),
  ...TONES.flatMap((tone) => [
    [tone, `${tone}-soft`] as const,
    ['text', `${tone}-soft`] as const,
    [tone, 'surface'] as const,
  ]),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-danger', 'danger'],
  ['accent', 'accent-soft'],
  ['text', 'accent-soft'],
]
const SHAPES: readonly (readonly [shape: string, below: string])[] = [
  ...SURFACES.flatMap((below) => ['line-strong', 'focus'].map(on(below))),
  ...CHART.map(on('surface')),
]

describe.each(THEMES)('in the %s theme', (theme) => {
  test.each(TEXTS)('text %s is readable on %s', (text, below) => {
    expect(contrast(colour(text, theme), colour(below, theme))).toBeGreaterThanOrEqual(TEXT_MIN)
  })

  test.each(SHAPES)('%s is visible on %s', (shape, below) => {
    expect(contrast(colour(shape, theme), colour(below, theme))).toBeGreaterThanOrEqual(SHAPE_MIN)
  })
})

function on(below: string) {
  return (text: string) => [text, below] as const
}

function colour(name: string, theme: (typeof THEMES)[number]): string {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(TOKENS) ?? []
  const found = theme === 'light' ? light : dark
  expect(`${name} ${found}`).not.toBe(`${name} `)
  return found
}

/** WCAG 2.2: the contrast ratio of two colours. */
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
