import { erc20Abi, type Hex, http, toHex } from 'viem'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { parseCreditPermitMessage } from '../../src/redeemkit/evm/creditPermit/creditPermit.ts'
import {
  signCreditPermit,
  verifyCreditPermit,
} from '../../src/redeemkit/evm/creditPermit/signCreditPermit.ts'
import { networks } from '../../src/redeemkit/evm/networks.ts'
import { signUsdcAuthorization } from '../../src/redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import { parseUsdcAuthorizationMessage } from '../../src/redeemkit/evm/usdcAuthorization/usdcAuthorization.ts'
import {
  toUsdcAuthorizationV1,
  toUsdcAuthorizationV2,
} from '../../src/redeemkit/evm/usdcAuthorization/usdcAuthorizationRecord.ts'
import { usdcToken } from '../../src/redeemkit/evm/usdcToken.ts'
import { anvilRpc } from '../../src/sandbox/chains/anvil/anvilRpc.ts'
import { startAnvil } from '../../src/sandbox/chains/anvil/startAnvil.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import {
  caller,
  creditsAuthMsgPath,
  customer,
  overHttp,
  publicClient,
  sendGaslessTxPath,
} from '../service/sandboxClient.ts'
import { forkVariable, placeUsdc } from './startFork.ts'

/** Forks the real network if {@link forkVariable} is set, otherwise a local chain with the issuer's token at its real address. */
const rows = networks.filter(({ usdc }) => usdc)

const closers: (() => Promise<void>)[] = []

async function originOf(network: Row): Promise<string> {
  const { chainId } = network
  const real = process.env[forkVariable(network)]
  if (real !== undefined && real !== '') return real
  const anvil = await startAnvil({ chainId })
  closers.push(anvil.stop)
  await placeUsdc(anvilRpc(http(anvil.url)), { chainId })
  return anvil.url
}

afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** Other tests redeem on a test network, whose USDC has a different domain name than a main network's. */
const isLong = inject('isLong')
const chosen = rows.filter(({ name }) => (name === 'Base') !== isLong)

test('the table has ten rows', () => {
  expect([rows.length, chosen.length]).toEqual([10, isLong ? 9 : 1])
})

describe.each(chosen)('$name ($chainId)', (network) => {
  test('token redeems that are paid in credits, with V1 and with V2', () => redeemOnFork(network))
})

type Row = (typeof rows)[number]

async function redeemOnFork(network: Row): Promise<void> {
  const { blockchain, environment, chainId } = network
  const forkUrl = await originOf(network)
  const sandbox = await startSandbox({ blockchain, environment, forkUrl, bridge: false })
  closers.push(sandbox.stop)
  const chain = sandbox.chains[blockchain] ?? expect.fail()
  expect(chain).toMatchObject({ chainId, usdc: usdcToken({ chainId }).address })
  const client = publicClient(chain.rpcUrl)
  const service = caller(overHttp(sandbox.url))
  const { account, address } = sandbox.accounts.alice
  const usdcOf = (owner: Hex) =>
    client.readContract({ address: chain.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

  for (const [index, payment] of (['credits', 'V1', 'V2'] as const).entries()) {
    const receiver = toHex(0xfeed_0000n + BigInt(index), { size: 20 })
    const request = {
      merchantId: sandbox.merchantId,
      subtotal: { address: chain.usdc, amount: '10.25' },
      transactionData: { type: 'token', destination: receiver },
      ...(payment === 'credits' ? {} : { usdcAmount: { cents: 400 } }),
    }
    const prepared = await service.post(creditsAuthMsgPath, request, customer(address, blockchain))
    expect(prepared.status, JSON.stringify(prepared.body)).toBe(200)
    const { message, validBefore, nonce, creditsRawAmount, usdcAuthorization } = prepared.body
    const { domain, permit } = parseCreditPermitMessage(message)
    expect(domain.verifyingContract).toBe(chain.creditsContract)
    const permitCredits = await signCreditPermit(account, { domain, permit })
    expect(await verifyCreditPermit({ domain, permit, signature: permitCredits })).toBe(true)
    const signedMessages: Record<string, unknown> = { permitCredits }
    if (payment !== 'credits') {
      const { type, authorization } = parseUsdcAuthorizationMessage(usdcAuthorization.message)
      const signature = await signUsdcAuthorization(account, { chainId, type, authorization })
      if (payment === 'V1')
        signedMessages.customerUsdcAuthData = toUsdcAuthorizationV1({ authorization, signature })
      else signedMessages.customerUsdcAuthDataV2 = toUsdcAuthorizationV2({ authorization, signature })
    }
    const [before, usdcBefore] = [await usdcOf(receiver), await usdcOf(address)]
    const body = { ...request, signedMessages, validBefore, nonce, creditsRawAmount }
    const sent = await service.post(sendGaslessTxPath, body, customer(address, blockchain))
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    const receipt = await waitForReceipt(client, sent.body.hash)
    expect(receipt.status).toBe('success')
    expect((await usdcOf(receiver)) - before).toBe(10_250_000n)
    expect(usdcBefore - (await usdcOf(address))).toBe(payment === 'credits' ? 0n : 4_000_000n)
    expect((await service.post(sendGaslessTxPath, body, customer(address, blockchain))).body).toEqual(
      sent.body,
    )
  }
  await sandbox.stop()
}
