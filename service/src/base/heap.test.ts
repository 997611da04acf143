import { expect, test } from 'vitest'
import { KeptHeap } from './heap.ts'

test('the heap is kept small until the last caller ends it', () => {
  const said: number[] = []
  const heap = new KeptHeap((percent) => void said.push(percent))
  const first = heap.keep()
  const second = heap.keep()
  first()
  first()
  expect(said).toEqual([50])
  second()
  expect(said).toEqual([50, 0])
  heap.keep()()
  expect(said).toEqual([50, 0, 50, 0])
})
