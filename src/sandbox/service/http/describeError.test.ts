import { createPublicClient, http } from 'viem'
import { expect, test } from 'vitest'
import { ChainReadError } from '../../../redeemkit/evm/client.ts'
import { ChainConnectionError } from '../../chains/anvil/connectPipe.ts'
import { nodeTransport } from '../../chains/anvil/nodeTransport.ts'
import { describeError } from './describeError.ts'

const gone = new ChainConnectionError('The chain has ended.')
const endedNode = nodeTransport({ ask: () => Promise.reject(gone) })
/** No program listens at port 0. */
const nothing = http('http://127.0.0.1:0', { retryCount: 0 })

test.each([
  ['a chain of this machine that has ended', endedNode],
  ['a node that cannot be reached', nothing],
])('%s is unavailable, and not a failure of the service', async (_, transport) => {
  const error: unknown = await createPublicClient({ transport })
    .getBlockNumber()
    .catch((cause) => cause)
  expect(describeError(error)).toEqual({
    code: 'UNAVAILABLE',
    message: 'The blockchain does not answer at the moment.',
  })
})

test.each([gone, new ChainReadError('The node did not answer.')])('%s', (error) => {
  expect(describeError(error).code).toBe('UNAVAILABLE')
})

test('what is not foreseen is not told', () => {
  expect(describeError(new Error('key 0xabc'))).toEqual({
    code: 'INTERNAL',
    message: 'The service failed. The request id finds it in the log.',
  })
})
