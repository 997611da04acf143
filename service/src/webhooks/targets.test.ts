import { expect, test } from 'vitest'
import type { TargetRules } from './target.ts'
import { openTargets } from './targets.ts'

const RULES: TargetRules = { allowHttp: false, allowPrivate: false, devOrigins: [] }

test('a URL is parsed once and refused with its reason every time', () => {
  const targetOf = openTargets(RULES)
  const good = targetOf('https://hooks.example.com/a')
  expect(good instanceof URL && good.href).toBe('https://hooks.example.com/a')
  expect(targetOf('https://hooks.example.com/a')).toBe(good)
  for (let times = 0; times < 2; times += 1) {
    expect(targetOf('https://10.0.0.1/a')).toMatch(/public address/)
    expect(targetOf('http://hooks.example.com/a')).toMatch(/https/)
  }
})

test('the cache stays bounded and correct after an eviction', () => {
  const targetOf = openTargets(RULES)
  const first = targetOf('https://hooks.example.com/0')
  for (let at = 1; at <= 1_000; at += 1) targetOf(`https://hooks.example.com/${at}`)
  expect(targetOf('https://hooks.example.com/0')).not.toBe(first)
  expect(targetOf('https://hooks.example.com/0')).toEqual(first)
})
