import { expect, test } from 'vitest'
import { descriptorsOf } from './descriptors.ts'

test('describes the shop’s contract, and USDC under both of its names', () => {
  const files = descriptorsOf({ chainId: 8453, address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' })
  expect(Object.keys(files)).toEqual([
    'eip712-CreditsAuthorization.json',
    'eip712-Authorization-USD-Coin.json',
    'eip712-Authorization-USDC.json',
  ])
  expect(files['eip712-CreditsAuthorization.json']?.context.eip712.deployments).toEqual([
    { chainId: 8453, address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
  ])
})
