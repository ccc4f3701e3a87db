import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChainReadError } from '../evm/client.ts'
import { InsufficientFundsError } from '../redeem/errors.ts'
import { reportMistake } from './reportMistake.ts'

const printed: string[] = []
beforeEach(() => {
  printed.length = 0
  vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(text))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('a mistake in the page’s code is printed once, with its fix', () => {
  const mistake = () =>
    new ChainReadError('There is no contract.', { field: 'creditsContract', fix: 'Check the address.' })
  reportMistake(mistake())
  reportMistake(mistake())
  expect(printed).toEqual([
    expect.stringMatching(/^redeemkit: There is no contract\.\n.*\n.*Check the address\./),
  ])
  reportMistake(new TypeError('another mistake'))
  expect(printed).toEqual([expect.anything(), expect.stringContaining('another mistake')])
})

test('an error that the customer can solve, and undefined, are not printed', () => {
  const funds = { asset: 'credits', have: 0n, need: 1n, field: 'subtotal', fix: 'x' } as const
  for (const error of [new InsufficientFundsError('x', funds), null, undefined]) reportMistake(error)
  expect(printed).toEqual([])
})

test('nothing is printed in production, or without a console', () => {
  vi.stubEnv('NODE_ENV', 'production')
  reportMistake(new Error('in production'))
  expect(printed).toEqual([])
  vi.stubEnv('NODE_ENV', 'development')
  vi.spyOn(console, 'error').mockImplementation(() => {
    throw new Error('no console')
  })
  expect(() => reportMistake(new Error('without a console'))).not.toThrow()
})
