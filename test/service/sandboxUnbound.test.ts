import { erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningSandbox, type SandboxChain, startSandbox } from '../../src/sandbox/index.ts'
import type { CreditsAuthMsgBody } from '../../src/schema/index.ts'
import {
  anvil,
  type Caller,
  caller,
  creditsAuthMsgPath,
  customer,
  overHttp,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

let sandbox: RunningSandbox<'unbound'>
let base: SandboxChain<'unbound'>
let chain: ReturnType<typeof anvil>
let service: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ service: 'unbound', bridge: false })
  ;({ base } = sandbox.chains as Required<typeof sandbox.chains>) // the one that is started by default
  chain = anvil(base.rpcUrl)
  service = caller(overHttp(sandbox.url))
})
afterAll(() => sandbox?.stop())

const request = (changes: Partial<CreditsAuthMsgBody> = {}): CreditsAuthMsgBody => ({
  merchantId: sandbox.merchantId,
  subtotal: { cents: 100 },
  transactionData: { type: 'token', destination: sandbox.people.bob.address },
  ...changes,
})
const _prepare = (changes: Partial<CreditsAuthMsgBody> = {}, wallet = sandbox.people.alice.address) =>
  service.post(creditsAuthMsgPath, request(changes), customer(wallet))
const signed = (changes: Partial<CreditsAuthMsgBody> = {}, person = sandbox.people.alice) =>
  signedBody(service, { request: request(changes), wallet: person.address, key: person.account })
const send = (body: unknown, wallet = sandbox.people.alice.address) =>
  service.post(sendGaslessTxPath, body, customer(wallet))
const usdcOf = (wallet: Hex) =>
  chain.client.readContract({ address: base.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })

test('a token redeem: its hash is mined and the USDC moves from the contract to the destination', async () => {
  const before = await usdcOf(sandbox.people.bob.address)
  const { status, body } = await send(await signed())
  expect(status).toBe(200)
  const receipt = await chain.client.waitForTransactionReceipt({ hash: body.hash })
  expect(receipt.status).toBe('success')
  expect(await usdcOf(sandbox.people.bob.address)).toBe(before + 1_000_000n)
})
