import { expect, test } from 'vitest'
import { InvalidAddressError } from '../../redeemkit/core/errors/inputErrors.ts'
import { connectEvmChain } from './connectEvmChain.ts'

const connect = (walletFactories?: connectEvmChain.Options['walletFactories']) =>
  connectEvmChain(
    {
      blockchain: 'base',
      rpcUrl: 'http://127.0.0.1:1',
      creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      operatorKey: `0x${'01'.repeat(32)}`,
      walletFactories,
    },
    'sandbox',
  ).walletFactories

test('allows the factories of popular smart accounts and those in the options', () => {
  const coinbase = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a'
  const own = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  expect([connect().has(coinbase), connect().has(own)]).toEqual([true, false])
  // Lower case, as on a command line. The service looks up the checksummed address.
  const given = connect([own.toLowerCase() as typeof own])
  expect([given.has(coinbase), given.has(own)]).toEqual([true, true])
  expect(() => connect(['0x1234'])).toThrow(InvalidAddressError)
})
