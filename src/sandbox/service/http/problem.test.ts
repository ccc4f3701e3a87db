import { createPublicClient, http } from 'viem'
import { expect, test } from 'vitest'
import { ChainReadError } from '../../../redeemkit/evm/client.ts'
import { ChainConnectionError, nodeTransport } from '../../chains/anvil/connectPipe.ts'
import { describeError, problem, withoutCardNumbers } from './problem.ts'

const shown = (text: string) =>
  describeError(withoutCardNumbers(problem('VERIFICATION_REQUIRED', text, { details: { text } })))

// Each contains a valid card number by chance.
test.each([
  'http://127.0.0.1:4242/sandbox/verifications/ver_58408933-0659-431d-819f-11aa8fb637db',
  'There is no payment "pay_58408933-0659-431d-819f-11aa8fb637db".',
  `0xab4111111111111111${'c'.repeat(46)}`,
  `0x4111111111111111${'c'.repeat(24)}`,
  // The start of a contract's Error(string).
  `0x08c379a0${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`,
])('%s is kept', (text) => {
  expect(shown(text)).toMatchObject({ message: text, details: { text } })
})

test.each([
  '4111111111111111',
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  'ver_4111111111111111',
  '0x4111111111111111',
  'aa4111111111111111bb',
  '58408933-0659-431',
])('%s is replaced', (text) => {
  const { message, details } = shown(text)
  expect(message).toContain('[card number]')
  expect(JSON.stringify({ message, details })).not.toMatch(/1111|8933/)
})

test('a card number deep in the details is replaced', () => {
  const details = { findings: [{ message: 'it says 4111111111111111' }] }
  expect(describeError(withoutCardNumbers(problem('SIMULATION_FAILED', 'no', { details })))).toMatchObject({
    details: { findings: [{ message: 'it says [card number]' }] },
  })
})

const gone = new ChainConnectionError('The chain has ended.')
const endedNode = nodeTransport({ ask: () => Promise.reject(gone) })
/** Anvil 1.7.1's answer 10 s after the origin of its fork was stopped. */
const stalledFork = nodeTransport({
  ask: async () =>
    '"error":{"code":-32603,"message":"failed to get account for 0x00000000000000000000000000000000000000AA: error sending request for url (<fork url>/); operation timed out"}}',
})
/** Nothing listens on port 0. */
const nothing = http('http://127.0.0.1:0', { retryCount: 0 })

test.each([
  ['a chain of this machine that has ended', endedNode],
  ['a fork whose origin does not answer', stalledFork],
  ['a node that cannot be reached', nothing],
])('%s is reported as unavailable', async (_, transport) => {
  const error: unknown = await createPublicClient({ transport })
    .getBlockNumber()
    .catch((cause) => cause)
  expect(describeError(error)).toEqual({
    code: 'UNAVAILABLE',
    message: 'The blockchain node is currently unavailable.',
  })
})

test.each([gone, new ChainReadError('The node did not answer.')])('%s', (error) => {
  expect(describeError(error).code).toBe('UNAVAILABLE')
})

test('an unexpected error reveals nothing', () => {
  expect(describeError(new Error('key 0xabc'))).toEqual({
    code: 'INTERNAL',
    message: 'Internal error. Find it in the log by the request id.',
  })
})
