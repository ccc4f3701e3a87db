import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  parseAbiParameters,
  parseEventLogs,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bridgeAdapterAbi } from '../../contracts/generated/BridgeAdapter.ts'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import {
  decentMerchantAbi,
  decentMerchantBytecode,
  normalMerchantAbi,
  normalMerchantBytecode,
} from '../../contracts/generated/merchants.ts'
import {
  smartWalletAbi,
  smartWalletBytecode,
  smartWalletFactoryAbi,
  smartWalletFactoryBytecode,
} from '../../contracts/generated/smartWallets.ts'
import { settlementOf } from '../../src/redeemkit/evm/index.ts'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import { type RunningSandbox, type SandboxChain, startSandbox } from '../../src/sandbox/index.ts'
import { redeemRequest } from '../../src/sandbox/simulation/redeemRequest.ts'
import {
  anvil,
  type Caller,
  caller,
  customer,
  type Payment,
  readCredits,
  readUsdc,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

let sandbox: RunningSandbox
let service: Caller
let base: SandboxChain
let arbitrum: SandboxChain
let chain: ReturnType<typeof anvil>
let far: ReturnType<typeof anvil>

beforeAll(async () => {
  sandbox = await startSandbox()
  service = caller(sandbox.app)
  ;({ base, arbitrum } = sandbox.chains as Required<typeof sandbox.chains>) // the sandbox starts both by default
  chain = anvil(base.rpcUrl)
  far = anvil(arbitrum.rpcUrl)
})
afterAll(() => sandbox?.stop())

const amount = 10_000_000n
const request = (transactionData: TransactionData, payment: Payment) => ({
  merchantId: sandbox.merchantId,
  subtotal: { cents: 1000 },
  transactionData,
  ...(payment === 'credits' ? {} : { usdcAmount: { cents: 400 } }),
})

/** Sends a redeem of alice and returns its receipt and event, after checking the balances. */
async function redeem(transactionData: TransactionData, payment: Payment = 'credits') {
  const { alice } = sandbox.accounts
  const before = await books(alice.address)
  const body = await signedBody(service, {
    request: request(transactionData, payment),
    key: alice.account,
    payment,
  })
  const sent = await service.post(sendGaslessTxPath, body, customer(alice.address))
  expect(sent).toMatchObject({ status: 200, body: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
  const receipt = await waitForReceipt(chain.client, sent.body.hash)
  expect(receipt.status).toBe('success')
  const [event] = parseEventLogs({ abi: creditsAbi, eventName: 'Redeemed', logs: receipt.logs })
  const usdcAmount = payment === 'credits' ? 0n : 4_000_000n
  const { amounts = 0n, refundedAndGasFee = 0n } = event?.args ?? {}
  expect(event?.args).toMatchObject({ customerWallet: alice.address, nonce: body.nonce })
  expect(amounts).toBe((amount << 128n) | usdcAmount)
  const [refunded, gasFee] = [refundedAndGasFee >> 128n, refundedAndGasFee & (2n ** 128n - 1n)]
  const charged = amount - usdcAmount + gasFee
  expect(gasFee).toBeGreaterThan(0n)
  expect(gasFee % 10_000n).toBe(0n)
  expect(charged).toBeLessThanOrEqual(BigInt(body.creditsRawAmount))
  const after = await books(alice.address)
  expect(before.credits - after.credits).toBe(charged - refunded)
  expect(before.usdc - after.usdc).toBe(usdcAmount)
  // Sending it again returns the same hash and moves nothing.
  expect((await service.post(sendGaslessTxPath, body, customer(alice.address))).body).toEqual(sent.body)
  expect(await books(alice.address)).toEqual(after)
  return { receipt, refunded }
}

async function books(wallet: Hex) {
  const [credits, usdc] = await Promise.all([
    readCredits(base, sandbox.creditSeed, wallet),
    readUsdc(base, wallet),
  ])
  return { credits, usdc }
}

const payments: readonly Payment[] = ['credits', 'V1', 'V2']

test.each(payments)(
  'a call is executed, and the rest is returned as credits, paid with %s',
  async (payment) => {
    const to = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
    await sandbox.whitelist({ target: to, selector: toFunctionSelector('buy(address,uint256)') })
    const price = amount - 1_500_000n
    const data = encodeFunctionData({
      abi: normalMerchantAbi,
      functionName: 'buy',
      args: [sandbox.accounts.bob.address, price],
    })
    const { refunded } = await redeem({ transaction: { to, data } }, payment)
    expect(refunded).toBe(1_500_000n)
    expect((await books(to)).usdc).toBe(price)
  },
)

test('decent: executed on the other chain with its native coin', async () => {
  const to = await far.deploy(decentMerchantAbi, decentMerchantBytecode, [arbitrum.usdc])
  await sandbox.whitelist({ target: to, chainId: arbitrum.chainId })
  const receiver = sandbox.accounts.bob.address
  const cost = 10n ** 15n
  await redeem({
    type: 'decent',
    dstChainId: arbitrum.chainId,
    dstToken: zeroAddress,
    contractAddress: to,
    contractData: encodeFunctionData({
      abi: decentMerchantAbi,
      functionName: 'buyNative',
      args: [receiver],
    }),
    cost: { isNative: true, amount: cost.toString() },
  })
  const paid = () =>
    far.client.readContract({
      address: to,
      abi: decentMerchantAbi,
      functionName: 'paidFor',
      args: [receiver],
    })
  await expect.poll(paid, { timeout: 15_000 }).toBe(cost)
})

test('decent: the customer can claim a failed delivery, once', async () => {
  const to = await far.deploy(decentMerchantAbi, decentMerchantBytecode, [arbitrum.usdc])
  await far.call(to, decentMerchantAbi, 'setClosed', [true])
  await sandbox.whitelist({ target: to, chainId: arbitrum.chainId })
  const { alice } = sandbox.accounts
  const claimable = () =>
    far.client.readContract({
      address: arbitrum.bridgeAdapter,
      abi: bridgeAdapterAbi,
      functionName: 'claimableOf',
      args: [alice.address, arbitrum.usdc],
    })
  expect(await claimable()).toBe(0n)
  const contractData = encodeFunctionData({
    abi: decentMerchantAbi,
    functionName: 'buy',
    args: [alice.address, amount],
  })
  await redeem({
    type: 'decent',
    dstChainId: arbitrum.chainId,
    dstToken: arbitrum.usdc,
    contractAddress: to,
    contractData,
    cost: { isNative: false, amount: amount.toString() },
  })
  await expect.poll(claimable, { timeout: 15_000 }).toBe(amount)
})

test('a merchant that imitates the bridge is not paid on the other chain', async () => {
  const { alice } = sandbox.accounts
  const shop = () => far.deploy(decentMerchantAbi, decentMerchantBytecode, [arbitrum.usdc])
  const [liar, honest] = [await shop(), await shop()]
  await sandbox.whitelist({ target: honest, chainId: arbitrum.chainId })
  const merchant = privateKeyToAccount(generatePrivateKey()).address
  await chain.rpc('anvil_setCode', [merchant, '0x00'])
  await sandbox.whitelist({ target: merchant })
  const body = await signedBody(service, {
    request: request({ transaction: { to: merchant, data: '0x12345678' } }, 'credits'),
    key: alice.account,
  })
  const buyNative = (receiver: Hex) =>
    encodeFunctionData({ abi: decentMerchantAbi, functionName: 'buyNative', args: [receiver] })
  // By now, the merchant may know the nonce.
  const topics = encodeEventTopics({
    abi: bridgeAdapterAbi,
    eventName: 'BridgeRequested',
    args: { id: `0x${'1a'.repeat(32)}`, customer: alice.address, nonce: body.nonce },
  })
  const data = encodeAbiParameters(
    parseAbiParameters('uint256, uint256, uint256, address, bool, uint256, address, bytes, uint256'),
    [1n, 1n, BigInt(arbitrum.chainId), zeroAddress, true, 10n ** 15n, liar, buyNative(alice.address), 0n],
  )
  await chain.rpc('anvil_setCode', [merchant, logs(topics as Hex[], data)]) // None of these values is a list.
  const sent = await service.post(sendGaslessTxPath, body, customer(alice.address))
  expect(sent.status).toBe(200)
  const receipt = await waitForReceipt(chain.client, sent.body.hash)
  expect(parseEventLogs({ abi: bridgeAdapterAbi, logs: receipt.logs })).toHaveLength(1)

  // Messages are delivered in order, so the forged message would have arrived before this one.
  await redeem({
    type: 'decent',
    dstChainId: arbitrum.chainId,
    dstToken: zeroAddress,
    contractAddress: honest,
    contractData: buyNative(alice.address),
    cost: { isNative: true, amount: '1' },
  })
  await expect.poll(() => far.client.getBalance({ address: honest }), { timeout: 15_000 }).toBe(1n)
  expect(await far.client.getBalance({ address: liar })).toBe(0n)
})

test('decent, relayed by a third party: the service delivers the message after it is notified', async () => {
  const { alice } = sandbox.accounts
  const to = await far.deploy(decentMerchantAbi, decentMerchantBytecode, [arbitrum.usdc])
  await sandbox.whitelist({ target: to, chainId: arbitrum.chainId })
  const contractData = encodeFunctionData({
    abi: decentMerchantAbi,
    functionName: 'buyNative',
    args: [alice.address],
  })
  const salt: Hex = `0x${'5b'.repeat(32)}`
  const decent: TransactionData = {
    type: 'decent',
    dstChainId: arbitrum.chainId,
    dstToken: zeroAddress,
    contractAddress: to,
    contractData,
    cost: { isNative: true, amount: '1' },
  }
  const body = await signedBody(service, {
    request: { ...request(decent, 'credits'), salt },
    key: alice.account,
  })
  const asked = redeemRequest({
    permit: {
      customerWallet: alice.address,
      creditSeed: sandbox.creditSeed,
      amount: BigInt(body.creditsRawAmount),
      validBefore: BigInt(body.validBefore),
      nonce: body.nonce,
    },
    signature: body.signedMessages.permitCredits,
    salt,
    intent: { settlement: settlementOf(decent), amount, usdcAmount: 0n },
    gasFee: 0n,
  })
  await chain.call(base.creditsContract, creditsAbi, 'redeem', [asked])
  expect((await service.post(sendGaslessTxPath, body, customer(alice.address))).status).toBe(200)
  await expect.poll(() => far.client.getBalance({ address: to }), { timeout: 15_000 }).toBe(1n)
})

/** Returns the code of a contract that emits one log with four topics on every call. */
function logs(topics: readonly Hex[], data: Hex): Hex {
  const size = ((data.length - 2) / 2).toString(16).padStart(4, '0')
  const pushed = [...topics].reverse().map((topic) => `7f${topic.slice(2)}`)
  // CODECOPY of the data, which begins at byte 148, then LOG4.
  return `0x61${size}610094600039${pushed.join('')}61${size}6000a400${data.slice(2)}`
}

describe('smart accounts', () => {
  const owner = privateKeyToAccount(generatePrivateKey())

  async function fund(wallet: Hex) {
    await sandbox.mintCredits({ wallet, cents: 2_000 })
    await sandbox.mintUsdc({ wallet, cents: 2_000 })
  }
  const token = (): TransactionData => ({ type: 'token', destination: sandbox.accounts.bob.address })

  test.each(payments)('an ERC-1271 wallet redeems, paid with %s', async (payment) => {
    const wallet = await chain.deploy(smartWalletAbi, smartWalletBytecode, [owner.address])
    await fund(wallet)
    const body = await signedBody(service, {
      request: request(token(), payment),
      wallet,
      key: owner,
      payment,
    })
    const sent = await service.post(sendGaslessTxPath, body, customer(wallet))
    // A wallet with code cannot use V1's three-part signature.
    if (payment === 'V1')
      expect(sent).toMatchObject({ status: 412, body: { code: 'INVALID_USDC_AUTHORIZATION' } })
    else expect(sent).toMatchObject({ status: 200, body: { hash: expect.any(String) } })
  })

  test.each(payments)(
    'an ERC-6492 wallet redeems after an allowed factory deployed it, paid with %s',
    async (payment) => {
      const factory = await chain.deploy(smartWalletFactoryAbi, smartWalletFactoryBytecode)
      const salt = BigInt(payments.indexOf(payment))
      const wallet = await chain.client.readContract({
        address: factory,
        abi: smartWalletFactoryAbi,
        functionName: 'walletOf',
        args: [owner.address, salt],
      })
      const data = encodeFunctionData({
        abi: smartWalletFactoryAbi,
        functionName: 'createWallet',
        args: [owner.address, salt],
      })
      const seal = (signature: Hex): Hex =>
        `${encodeAbiParameters(
          [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
          [factory, data, signature],
        )}${'6492'.repeat(16)}`
      const options = { request: request(token(), payment), wallet, key: owner, payment, seal }
      const body = await signedBody(service, options)
      const refused = await service.post(sendGaslessTxPath, body, customer(wallet))
      expect(refused).toMatchObject({ status: 403, body: { code: 'FACTORY_NOT_ALLOWED' } })
      sandbox.allowFactory({ factory })
      if (payment !== 'V1') {
        // A wallet is not deployed for a redeem that it cannot pay for. Here, it lacks the fee or the USDC.
        await sandbox.mintCredits({ wallet, cents: 1_000 })
        const poor = await service.post(sendGaslessTxPath, body, customer(wallet))
        const code = payment === 'V2' ? 'SIMULATION_FAILED' : 'INSUFFICIENT_CREDITS'
        expect(poor).toMatchObject({ status: 412, body: { code } })
        expect(await chain.client.getCode({ address: wallet })).toBe(undefined)
      }
      await fund(wallet)
      const sent = await service.post(sendGaslessTxPath, body, customer(wallet))
      if (payment === 'V1')
        return expect(sent).toMatchObject({ status: 412, body: { code: 'INVALID_USDC_AUTHORIZATION' } })
      expect(sent).toMatchObject({ status: 200, body: { hash: expect.any(String) } })
      const receipt = await waitForReceipt(chain.client, sent.body.hash)
      expect(receipt.status).toBe('success')
      expect(await chain.client.getCode({ address: wallet })).not.toBe(undefined)
    },
  )
})
