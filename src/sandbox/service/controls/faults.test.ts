import { expect, test } from 'vitest'
import { createFaults } from './faults.ts'

const triggers = (path: string, asked: string) => {
  const faults = createFaults()
  faults.add({ path, kind: 'lost' })
  return faults.trigger({ method: 'GET', path: asked }) !== undefined
}

test.each([
  ['/api/a', '/api/a', true],
  ['/api/a', '/api/ab', false],
  ['/api/*', '/api/', true],
  ['/api/*/b', '/api/a/b', true],
  ['/api/*/b', '/api/b', false],
  ['/api/*a*a', '/api/aa', true],
  ['/api/*aa*a', '/api/aa', false],
  ['/api/*.x', '/api/yx', false],
  ['/api*', '/api', true],
])('%s and %s: %s', (pattern, path, expected) => {
  expect(triggers(pattern, path)).toBe(expected)
})

test('matches many stars quickly', () => {
  const started = performance.now()
  expect(triggers(`/api/${'*a'.repeat(90)}*b`, `/api/${'a'.repeat(5000)}`)).toBe(false)
  expect(performance.now() - started).toBeLessThan(1_000)
})
