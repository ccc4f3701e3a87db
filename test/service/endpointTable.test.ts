import { endpoints } from 'redeemkit/schema'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/sandbox/service/routes.ts'

describe('the table of endpoints', () => {
  const described = endpoints.map(({ method, path }) => `${method} ${path}`)
  const answered = routes
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    .filter((call) => call.includes(' /api/'))

  test('has every route of the local service, by method and path', () => {
    expect(answered.filter((call) => !(described as string[]).includes(call))).toEqual([])
  })

  test('and the service has every row', () => {
    expect(described.filter((call) => !answered.includes(call))).toEqual([])
  })
})
