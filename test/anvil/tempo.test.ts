import {
  type Address,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  parseAbi,
  parseSignature,
  size,
  slice,
  zeroAddress,
  zeroHash,
} from 'viem'
import { Abis, Account } from 'viem/tempo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { normalMerchantAbi, normalMerchantBytecode } from '../../contracts/generated/merchants.ts'
import { cancelCreditPermit } from '../../src/redeemkit/evm/creditPermit/cancelCreditPermit.ts'
import { hashCreditPermit } from '../../src/redeemkit/evm/creditPermit/creditPermit.ts'
import { toOrderKey } from '../../src/redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../src/redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import {
  signCreditPermit,
  verifyCreditPermit,
} from '../../src/redeemkit/evm/creditPermit/signCreditPermit.ts'
import type { EvmSigner } from '../../src/redeemkit/evm/signer/toSigner.ts'
import { signUsdcAuthorization } from '../../src/redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import { tempoContracts } from '../../src/redeemkit/tempo/network.ts'
import { checkTempoSignature } from '../../src/redeemkit/tempo/signature/checkTempoSignature.ts'
import { askSignatureVerifier, tempoSignatures } from '../../src/redeemkit/tempo/signature/tempoSignatures.ts'
import { buildTempoTransaction } from '../../src/redeemkit/tempo/transaction/buildTempoTransaction.ts'
import { serializeTempoTransaction } from '../../src/redeemkit/tempo/transaction/serializeTempoTransaction.ts'
import {
  signTempoTransaction,
  sponsorTempoTransaction,
} from '../../src/redeemkit/tempo/transaction/signTempoTransaction.ts'
import { tempoKeychainSkip } from '../../src/sandbox/chains/tempo/openTempoAnvil.ts'
import { startTempoChain, type TempoChain } from '../../src/sandbox/chains/tempo/startTempoChain.ts'
import { fundedAccount } from '../../src/sandbox/chains/tempo/tempoAccounts.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'

let tempo: TempoChain
beforeAll(async () => {
  tempo = await startTempoChain({ creditSeed: 'shop' })
})
afterAll(() => tempo?.stop())

const signatures = tempoSignatures()
const webAuthn = { rpId: 'shop.example', origins: ['https://shop.example'] } as const
const shop: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const noBridge = { dstChainId: 0n, dstToken: zeroAddress, isNative: false, cost: 0n } as const
const token = (target: Address) =>
  ({ kind: 0, target, data: '0x', nftContract: zeroAddress, nftId: 0n, bridge: noBridge }) as const

const keyKinds = { secp256k1: 0, p256: 1, webAuthn: 2 } as const

/** Returns the call with which an account authorizes an access key. */
function authorizeKey(
  keyId: Address,
  options: {
    kind: keyof typeof keyKinds
    expiry: bigint
    limits?: readonly { token: Address; amount: bigint; period: bigint }[]
  },
) {
  const { kind, expiry, limits = [] } = options
  const enforceLimits = limits.length > 0
  const config = { expiry, enforceLimits, limits, allowAnyCalls: true, allowedCalls: [] }
  return {
    to: tempoContracts.accountKeychain,
    data: encodeFunctionData({
      abi: Abis.accountKeychain,
      functionName: 'authorizeKey',
      args: [keyId, keyKinds[kind], config],
    }),
  }
}

/** Returns a permit of this wallet for a settlement. */
async function permitFor(wallet: Address, settlement: Settlement, amount: bigint) {
  const settlementHash = await tempo.client.readContract({
    address: tempo.creditsContract,
    abi: creditsAbi,
    functionName: 'hashSettlement',
    args: [settlement],
  })
  const salt = keccak256(crypto.getRandomValues(new Uint8Array(32)))
  const nonce = redeemIntentNonce({
    // Each salt creates a different order.
    orderKey: toOrderKey(hexToBytes(salt)),
    customerWallet: wallet,
    settlementHash,
    amount,
    usdcAmount: 0n,
    salt,
  })
  const { timestamp } = await tempo.client.getBlock()
  const validBefore = timestamp + 600n
  const permit = {
    customerWallet: wallet,
    creditSeed: tempo.creditSeed,
    amount: amount + 30_000n,
    validBefore,
    nonce,
  }
  return { permit, salt, digest: hashCreditPermit({ domain: tempo.domain, permit }) }
}
type Settlement = Omit<ReturnType<typeof token>, 'kind' | 'data'> & { kind: 0 | 1; data: Hex }

function redeemCall(
  { permit, salt }: Awaited<ReturnType<typeof permitFor>>,
  signature: Hex,
  settlement: Settlement,
  amount: bigint,
): { to: Address; data: Hex } {
  const usdcAuthorization = { method: 0, signature: '0x' } as const
  const intent = { amount, usdcAmount: 0n, salt }
  const request = { permit: { ...permit, signature }, intent, settlement, usdcAuthorization, gasFee: 30_000n }
  const data = encodeFunctionData({ abi: creditsAbi, functionName: 'redeem', args: [request] })
  return { to: tempo.creditsContract, data }
}

const balanceOf = (owner: Address) =>
  tempo.client.readContract({ address: tempo.token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
const creditsOf = (owner: Address) =>
  tempo.client.readContract({
    address: tempo.creditsContract,
    abi: creditsAbi,
    functionName: 'creditsOf',
    args: [tempo.creditSeed, owner],
  })
/** Returns the name of the contract's error. */
async function revertOf(call: { to: Address; data: Hex }): Promise<string> {
  try {
    await tempo.client.call({ account: tempo.operator, ...call })
    return 'none'
  } catch (error) {
    const text = error instanceof Error ? `${error.message}` : ''
    const found = creditsAbi
      .filter((item) => item.type === 'error')
      .find((item) => text.includes(errorSelector(item.name)))
    return found?.name ?? text
  }
}
function errorSelector(name: string): string {
  const item = creditsAbi.find((entry) => entry.type === 'error' && entry.name === name)
  if (item?.type !== 'error') throw new Error(name)
  const types = item.inputs.map((input) => (input.internalType?.startsWith('enum') ? 'uint8' : input.type))
  return keccak256(new TextEncoder().encode(`${name}(${types.join(',')})`)).slice(0, 10)
}

describe('redeems on a local Tempo chain', () => {
  test.each([['key'], ['p256'], ['passkey']] as const)('%s: pays credits to a receiver', async (name) => {
    const person = tempo.accounts[name]
    const settlement = token(shop)
    const prepared = await permitFor(person.address, settlement, 2_000_000n)
    const { permit } = prepared
    const signature = await signCreditPermit(person as EvmSigner, { domain: tempo.domain, permit })
    expect(await verifyCreditPermit({ domain: tempo.domain, permit, signature, signatures })).toBe(true)
    const [paid, credits] = [await balanceOf(shop), await creditsOf(person.address)]
    await tempo.send(tempo.operator, redeemCall(prepared, signature, settlement, 2_000_000n))
    expect((await balanceOf(shop)) - paid).toBe(2_000_000n)
    expect(credits - (await creditsOf(person.address))).toBe(2_030_000n)
    expect(await revertOf(redeemCall(prepared, signature, settlement, 2_000_000n))).toBe('OrderUsed')
  })

  test("a passkey of another library pays a merchant's contract", async () => {
    const account = Account.fromHeadlessWebAuthn(`0x${'ab'.repeat(32)}`, {
      rpId: 'shop.example',
      origin: 'https://shop.example',
    })
    const { contractAddress: merchant } = await tempo.send(tempo.operator, {
      data: encodeDeployData({
        abi: normalMerchantAbi,
        bytecode: normalMerchantBytecode,
        args: [tempo.token],
      }),
      gas: 30_000_000n,
    })
    if (merchant === undefined) throw new Error('not deployed')
    const data = encodeFunctionData({
      abi: normalMerchantAbi,
      functionName: 'buy',
      args: [account.address, 1_500_000n],
    })
    const mint = encodeFunctionData({
      abi: creditsAbi,
      functionName: 'mint',
      args: [tempo.creditSeed, account.address, 5_000_000n],
    })
    const allow = encodeFunctionData({
      abi: creditsAbi,
      functionName: 'setWhitelist',
      args: [tempo.creditSeed, 42431n, merchant, slice(data, 0, 4), false, true, 50_000n],
    })
    await tempo.send(tempo.operator, { to: tempo.creditsContract, data: mint })
    await tempo.send(tempo.whitelister, { to: tempo.creditsContract, data: allow })
    const settlement = { ...token(merchant), kind: 1, data } as const
    const prepared = await permitFor(account.address, settlement, 1_500_000n)
    const { permit } = prepared
    const signature = await signCreditPermit(account as EvmSigner, { domain: tempo.domain, permit })
    expect(
      await verifyCreditPermit({ domain: tempo.domain, permit, signature, signatures, client: tempo.client }),
    ).toBe(true)
    await tempo.send(tempo.operator, redeemCall(prepared, signature, settlement, 1_500_000n))
    const paidFor = { address: merchant, abi: normalMerchantAbi, functionName: 'paidFor' } as const
    expect(await tempo.client.readContract({ ...paidFor, args: [account.address] })).toBe(1_500_000n)
    expect(await creditsOf(account.address)).toBe(3_470_000n)
  })

  test("detects a wallet that returns another account's signature before sending it", async () => {
    const { accessKey, key, p256, passkey } = tempo.accounts
    const sign = async (person: EvmSigner, wallet: Address) => {
      const { permit } = await permitFor(wallet, token(shop), 1_000_000n)
      return signCreditPermit(person, { domain: tempo.domain, permit, client: tempo.client })
    }
    for (const person of [key, p256, passkey, accessKey])
      expect(size(await sign(person as EvmSigner, person.address))).toBeGreaterThan(64)
    for (const other of [key, passkey, accessKey]) {
      const { signMessage, signTypedData } = other
      const liar = { type: 'local', address: p256.address, signMessage, signTypedData }
      await expect(sign({ ...liar, signatures } as EvmSigner, p256.address)).rejects.toMatchObject({
        name: 'WrongSignatureError',
      })
      await expect(sign(liar as EvmSigner, p256.address)).rejects.toMatchObject({
        name: other === key ? 'WrongSignatureError' : 'SignatureSchemeMissingError',
      })
    }
  })

  test("another account's passkey, or a changed signature, moves nothing", async () => {
    const { p256, passkey } = tempo.accounts
    const settlement = token(shop)
    const prepared = await permitFor(p256.address, settlement, 1_000_000n)
    const stolen = await passkey.sign({ hash: prepared.digest })
    expect(
      await verifyCreditPermit({
        domain: tempo.domain,
        permit: prepared.permit,
        signature: stolen,
        signatures,
      }),
    ).toBe(false)
    expect(await revertOf(redeemCall(prepared, stolen, settlement, 1_000_000n))).toBe(
      'InvalidPermitSignature',
    )
    const own = await p256.sign({ hash: prepared.digest })
    const byte = slice(own, 40, 41)
    const changed = concatHex([slice(own, 0, 40), byte === '0xff' ? '0x00' : '0xff', slice(own, 41)])
    expect(await revertOf(redeemCall(prepared, changed, settlement, 1_000_000n))).toBe(
      'InvalidPermitSignature',
    )
    expect(await revertOf(redeemCall(prepared, own, token(passkey.address), 1_000_000n))).toBe(
      'IntentMismatch',
    )
    expect(await revertOf(redeemCall(prepared, own, settlement, 1_000_000n))).toBe('none')
  })

  test('a passkey cancels a permit', async () => {
    const { passkey } = tempo.accounts
    const settlement = token(shop)
    const prepared = await permitFor(passkey.address, settlement, 1_000_000n)
    const { nonce } = prepared.permit
    const cancel = { domain: tempo.domain, customerWallet: passkey.address, nonce }
    const signature = await cancelCreditPermit(passkey as EvmSigner, cancel)
    const data = encodeFunctionData({
      abi: creditsAbi,
      functionName: 'cancelCreditsAuthorization',
      args: [passkey.address, nonce, signature],
    })
    await tempo.send(tempo.sponsor, { to: tempo.creditsContract, data })
    const permitSignature = await passkey.sign({ hash: prepared.digest })
    expect(await revertOf(redeemCall(prepared, permitSignature, settlement, 1_000_000n))).toBe('OrderUsed')
  })

  test('an access key signs a permit', async (context) => {
    const { accessKey } = tempo.accounts
    const settlement = token(shop)
    const prepared = await permitFor(accessKey.address, settlement, 1_000_000n)
    const { permit } = prepared
    const signature = await signCreditPermit(accessKey as EvmSigner, { domain: tempo.domain, permit })
    // Everything except the contract can be tested on this chain.
    expect(
      await verifyCreditPermit({ domain: tempo.domain, permit, signature, signatures, client: tempo.client }),
    ).toBe(true)
    expect(await verifyCreditPermit({ domain: tempo.domain, permit, signature, signatures })).toBe(false)
    const answer = await askSignatureVerifier(tempo.client, {
      account: accessKey.address,
      digest: prepared.digest,
      signature,
    })
    if (answer === undefined) return context.skip(tempoKeychainSkip)
    await tempo.send(tempo.operator, redeemCall(prepared, signature, settlement, 1_000_000n))
  })
})

describe('the account keychain', () => {
  const digest = keccak256('0x1234')
  const check = (signature: Hex, change: object = {}) =>
    checkTempoSignature({
      account: fundedAccount(6).address,
      digest,
      signature,
      client: tempo.client,
      ...change,
    })

  test.each([
    ['secp256k1', Account.fromSecp256k1(`0x${'a1'.repeat(32)}`, { access: fundedAccount(6) })],
    ['p256', Account.fromP256(`0x${'a2'.repeat(32)}`, { access: fundedAccount(6) })],
    [
      'webAuthn',
      Account.fromHeadlessWebAuthn(`0x${'a3'.repeat(32)}`, {
        access: fundedAccount(6),
        rpId: webAuthn.rpId,
        origin: webAuthn.origins[0],
      }),
    ],
  ] as const)('%s: unknown, authorized, expired, revoked', async (kind, account) => {
    const root = fundedAccount(6)
    const keyId = account.accessKeyAddress
    const signature = await account.sign({ hash: digest })
    expect(await check(signature)).toMatchObject({ problem: 'ACCESS_KEY_UNKNOWN' })
    const { timestamp } = await tempo.client.getBlock()
    await tempo.send(root, authorizeKey(keyId, { kind, expiry: timestamp + 3600n }))
    expect(await check(signature)).toMatchObject({ valid: true, kind: 'keychain' })
    const late = () => Number(timestamp + 3600n) * 1000
    expect(await check(signature, { now: late })).toMatchObject({ problem: 'ACCESS_KEY_EXPIRED' })
    const bare = await account.sign({ hash: digest, raw: true })
    expect(await check(bare)).toMatchObject({ problem: 'WRONG_ACCOUNT' })
    await tempo.send(root, {
      to: tempoContracts.accountKeychain,
      data: encodeFunctionData({ abi: parseAbi(['function revokeKey(address)']), args: [keyId] }),
    })
    expect((await check(signature)).valid).toBe(false)
  })

  test('rejects a key with a spending limit, unless the caller allows it', async () => {
    const account = Account.fromP256(`0x${'a4'.repeat(32)}`, { access: fundedAccount(6) })
    const keyId = account.accessKeyAddress
    const { timestamp } = await tempo.client.getBlock()
    const limits = [{ token: tempo.token, amount: 1_000_000n, period: 0n }]
    const call = authorizeKey(keyId, { kind: 'p256', expiry: timestamp + 3600n, limits })
    await tempo.send(fundedAccount(6), call)
    const signature = await account.sign({ hash: digest })
    expect(await check(signature)).toMatchObject({ problem: 'ACCESS_KEY_LIMITED' })
    expect(await check(signature, { limitedAccessKeys: 'accept' })).toMatchObject({ valid: true })
  })
})

describe("redeemkit's checks and the chain's precompile", () => {
  const digest = keccak256('0xcafe')

  test.each([['key'], ['p256'], ['passkey']] as const)(
    '%s: both accept its signature, and both reject a changed one',
    async (name) => {
      const { address, sign } = tempo.accounts[name]
      const signature = await sign({ hash: digest })
      const both = async (changed: Hex) => {
        const ours = (await checkTempoSignature({ account: address, digest, signature: changed })).valid
        const chain = await askSignatureVerifier(tempo.client, {
          account: address,
          digest,
          signature: changed,
        })
        return [ours, chain]
      }
      expect(await both(signature)).toEqual([true, true])
      const step = Math.max(1, Math.floor(size(signature) / 70))
      for (let index = 0; index < size(signature); index += step) {
        const at = 2 + 2 * index
        const byte = (Number.parseInt(signature.slice(at, at + 2), 16) ^ 0x40).toString(16).padStart(2, '0')
        const changed = `${signature.slice(0, at)}${byte}${signature.slice(at + 2)}` as Hex
        const [ours, chain] = await both(changed)
        expect([index, ours]).toEqual([index, false])
        // The chain accepts several values of the last byte of these two; see the next test.
        if (name !== 'passkey' && index === size(signature) - 1) continue
        expect([index, chain]).toEqual([index, false])
      }
    },
  )

  test('the chain also accepts prehash bytes above 1, and v of 0 and 1', async () => {
    const p256 = Account.fromP256(`0x${'a5'.repeat(32)}`)
    const raw = await p256.sign({ hash: keccak256('0xbeef') })
    expect(raw.endsWith('00')).toBe(true)
    const { key } = tempo.accounts
    const plain = await key.sign({ hash: digest })
    const { yParity } = parseSignature(plain)
    const zero = concatHex([slice(plain, 0, 64), numberToHex(yParity, { size: 1 })])
    expect(await askSignatureVerifier(tempo.client, { account: key.address, digest, signature: zero })).toBe(
      true,
    )
    expect((await checkTempoSignature({ account: key.address, digest, signature: zero })).valid).toBe(false)
    const two = concatHex([slice(await tempo.accounts.p256.sign({ hash: digest }), 0, 129), '0x02'])
    const { address: account } = tempo.accounts.p256
    expect(await askSignatureVerifier(tempo.client, { account, digest, signature: two })).toBe(true)
    expect((await checkTempoSignature({ account, digest, signature: two })).valid).toBe(false)
  })
})

describe('sponsored transactions (0x76)', () => {
  test.each([['p256'], ['passkey'], ['key']] as const)('%s sends pathUSD, the sponsor pays', async (name) => {
    const person = tempo.accounts[name]
    const { sponsor } = tempo
    const receiver: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [receiver, 1_000_000n] })
    const calls = [{ to: tempo.token, data }]
    const { timestamp } = await tempo.client.getBlock()
    const nonce = BigInt(await tempo.client.getTransactionCount({ address: person.address }))
    const transaction = buildTempoTransaction({
      chainId: 42431,
      calls,
      gas: 2_000_000n,
      maxFeePerGas: 30_000_000_000n,
      nonce,
      validBefore: timestamp + 600n,
    })
    const expected = { chainId: 42431, account: person.address, calls, maxFee: 100_000n }
    const serialized = serializeTempoTransaction(transaction)
    const signed = await signTempoTransaction(person, { serialized, expected })
    const raw = await sponsorTempoTransaction(sponsor, {
      serialized: signed,
      feeToken: tempo.token,
      expected,
    })
    const before = [await balanceOf(person.address), await balanceOf(sponsor.address)] as const
    const hash = await tempo.client.sendRawTransaction({ serializedTransaction: raw })
    const receipt = await waitForReceipt(tempo.client, hash)
    expect(receipt.status).toBe('success')
    expect(receipt.from.toLowerCase()).toBe(person.address.toLowerCase())
    expect(before[0] - (await balanceOf(person.address))).toBe(1_000_000n)
    const received = receiver === sponsor.address ? 1_000_000n : 0n
    const fee = before[1] - (await balanceOf(sponsor.address)) + received
    expect(fee).toBeGreaterThan(0n)
    expect(fee).toBeLessThanOrEqual(100_000n)
    // The chain rejects it if the sponsor's token or the customer's call was changed.
    const again = { ...transaction, nonce: nonce + 1n }
    const fresh = await signTempoTransaction(person, {
      serialized: serializeTempoTransaction(again),
      expected,
    })
    const whole = await sponsorTempoTransaction(sponsor, {
      serialized: fresh,
      feeToken: tempo.token,
      expected,
    })
    const swapped = whole.replace(receiver.slice(2).toLowerCase(), shop.slice(2).toLowerCase()) as Hex
    expect(swapped).not.toBe(whole)
    const untouched = await balanceOf(shop)
    await tempo.client.sendRawTransaction({ serializedTransaction: swapped }).catch(() => undefined)
    expect(await balanceOf(shop)).toBe(untouched)
  })
})

test('USDC cannot be paid by signature on Tempo, and the error says why', async () => {
  const { key } = tempo.accounts
  const authorization = {
    from: key.address,
    to: shop,
    value: 1n,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce: zeroHash,
  }
  const options = { chainId: 42431, type: 'ReceiveWithAuthorization', authorization } as const
  await expect(signUsdcAuthorization(key as EvmSigner, options)).rejects.toMatchObject({
    name: 'NoUsdcAuthorizationError',
    message: expect.stringContaining('no token with EIP-3009'),
  })
})
