import { Keypair } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/index.ts'
import { caller, customer } from './sandboxClient.ts'

let sandbox: RunningSandbox

beforeAll(async () => {
  sandbox = await startSandbox({ blockchains: ['base', 'solana', 'stellar', 'tempo'], bridge: false })
})
afterAll(() => sandbox?.stop())

const balances = async (blockchain: string, wallet: string | undefined) => {
  const path = `/api/customer/balances/${sandbox.merchantId}`
  const { status, body } = await caller(sandbox.app).get(path, customer(wallet ?? '', blockchain))
  return { status, body }
}
const dollars = (credits: number, usdc: number) => ({
  status: 200,
  body: { credits: { cents: credits * 100 }, usdc: { cents: usdc * 100 } },
})

test('an EVM wallet has credits and USDC', async () => {
  expect(await balances('base', sandbox.accounts.alice.address)).toEqual(dollars(1000, 1000))
  expect(await balances('tempo', sandbox.tempo?.accounts.key.address)).toEqual(dollars(1000, 0))
})

test('a Solana and a Stellar wallet have USDC, but no credits', async () => {
  expect(await balances('solana', sandbox.solana?.accounts.alice.address)).toEqual(dollars(0, 1000))
  expect(await balances('stellar', sandbox.stellar?.accounts.alice.address)).toEqual(dollars(0, 1000))
})

test('a wallet without a USDC account has no balance', async () => {
  expect(await balances('solana', '7mhcgF1DVsj5iv4CxZDgp51H6MBBwqamsH1KnqXhSRc5')).toEqual(dollars(0, 0))
  expect(await balances('stellar', Keypair.random().publicKey())).toEqual(dollars(0, 0))
})

test('an invalid wallet gets a 400', async () => {
  expect((await balances('solana', sandbox.accounts.alice.address)).status).toBe(400)
  expect((await balances('stellar', 'G')).status).toBe(400)
})
