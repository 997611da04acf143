import { expect, test } from 'vitest'
import { machineMemory, memorySettings } from './embedded-memory.ts'

const GIGABYTE = 1024 ** 3

test('a small machine uses the defaults of PostgreSQL', () => {
  expect(memorySettings(GIGABYTE / 2).shared_buffers).toBe('128MB')
  expect(memorySettings(2 * GIGABYTE).shared_buffers).toBe('128MB')
})

test('a larger machine gives PostgreSQL a sixteenth of its memory, up to 1 GiB', () => {
  expect(memorySettings(8 * GIGABYTE).shared_buffers).toBe('512MB')
  expect(memorySettings(8.1 * GIGABYTE).shared_buffers).toBe('518MB')
  expect(memorySettings(16 * GIGABYTE).shared_buffers).toBe('1024MB')
  expect(memorySettings(512 * GIGABYTE).shared_buffers).toBe('1024MB')
})

test('machineMemory returns the memory of the machine or of its container, if less', () => {
  expect(machineMemory(8 * GIGABYTE, 0)).toBe(8 * GIGABYTE)
  expect(machineMemory(8 * GIGABYTE, 2 ** 64)).toBe(8 * GIGABYTE)
  expect(machineMemory(8 * GIGABYTE, 2 * GIGABYTE)).toBe(2 * GIGABYTE)
  expect(machineMemory()).toBeGreaterThan(GIGABYTE / 8)
})
