import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  serializeErc6492Signature,
  stringToHex,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditsAbi, creditsBytecode } from '../../contracts/generated/Credits.ts'
import { mockUsdcAbi } from '../../contracts/generated/MockUsdc.ts'
import {
  smartWalletAbi,
  smartWalletBytecode,
  smartWalletFactoryAbi,
  smartWalletFactoryBytecode,
} from '../../contracts/generated/smartWallets.ts'
import {
  type CreditPermit,
  type CreditPermitDomain,
  cancelCreditPermit,
  cancelUsdcAuthorization,
  commitmentOf,
  creditPermitTypedData,
  hashCancelCreditPermit,
  hashCreditPermit,
  hashUsdcAuthorization,
  normalizeSignature,
  orderKey,
  orderKeyOf,
  orderState,
  redeemIntentNonce,
  type SignatureInput,
  settlementHash,
  settlementOf,
  signCreditPermit,
  signUsdcAuthorization,
  token,
  toUsdcAuthorizationV1,
  toUsdcAuthorizationV2,
  type UsdcAuthorization,
  usdcToken,
  verifyAuthMessage,
  verifyCreditPermit,
  verifyUsdcAuthorization,
} from '../../src/redeemkit/evm/index.ts'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { anvilRpc } from '../../src/sandbox/chains/anvil/anvilRpc.ts'
import { prepareUsdc } from '../../src/sandbox/chains/anvil/prepareUsdc.ts'
import { startAnvil } from '../../src/sandbox/chains/anvil/startAnvil.ts'
import vectors from '../vectors/redeem-intent.json' with { type: 'json' }

const chainId = 84532
const usdc = usdcToken({ chainId }).address
const admin: Address = '0x00000000000000000000000000000000000ad317'
const shop: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const creditSeed = 'my-shop'
/** An address without code: a decent settlement is only hashed here, not executed. */
const bridgeAdapter = vectors.adapter as Address // The vectors are JSON as sent on the wire.
const kinds = ['key-held', 'ERC-1271', 'ERC-6492', 'EIP-7702'] as const
type Kind = (typeof kinds)[number]

let stop: (() => Promise<void>) | undefined
let url = ''
let credits: Address = zeroAddress
let factory: Address = zeroAddress
let delegate: Address = zeroAddress
let time = 0n
let giveUsdc: (to: Hex, amount: bigint) => Promise<void>
const chain = () => anvilRpc(http(url))
const client = () => chain().client

beforeAll(async () => {
  const anvil = await startAnvil({ chainId })
  stop = anvil.stop
  url = anvil.url
  const rpc = chain()
  giveUsdc = await prepareUsdc(rpc, { chainId })
  const deploy = async (data: Hex) => {
    const { contractAddress } = await rpc.send({ from: admin, data })
    if (contractAddress === undefined) throw new Error('not deployed')
    return contractAddress
  }
  credits = await deploy(
    encodeDeployData({
      abi: creditsAbi,
      bytecode: creditsBytecode,
      args: [usdc, admin, 0, admin, zeroAddress, { bridgeAdapter, ownContracts: [], grants: [] }],
    }),
  )
  factory = await deploy(
    encodeDeployData({ abi: smartWalletFactoryAbi, bytecode: smartWalletFactoryBytecode }),
  )
  delegate = await deploy(
    encodeDeployData({ abi: smartWalletAbi, bytecode: smartWalletBytecode, args: [zeroAddress] }),
  )
  for (const role of ['MINTER_ROLE', 'OPERATOR_ROLE'])
    await rpc.send({
      from: admin,
      to: credits,
      data: encodeFunctionData({
        abi: creditsAbi,
        functionName: 'grantRole',
        args: [keccak256(stringToHex(role)), admin],
      }),
    })
  await giveUsdc(admin, 10n ** 12n)
  await rpc.send({
    from: admin,
    to: usdc,
    data: encodeFunctionData({ abi: mockUsdcAbi, functionName: 'approve', args: [credits, 2n ** 255n] }),
  })
  time = (await rpc.client.getBlock()).timestamp
})
afterAll(() => stop?.())

const domain = (): CreditPermitDomain => ({
  name: 'Credits',
  version: '1',
  chainId,
  verifyingContract: credits,
})

/** Creates one account of each kind, with its key and the function that encodes its signatures. */
async function makeAccount(kind: Kind) {
  const key = privateKeyToAccount(generatePrivateKey())
  const rpc = chain()
  const salt = BigInt(generatePrivateKey())
  const factoryData = encodeFunctionData({
    abi: smartWalletFactoryAbi,
    functionName: 'createWallet',
    args: [key.address, salt],
  })
  const counterfactual = await rpc.client.readContract({
    address: factory,
    abi: smartWalletFactoryAbi,
    functionName: 'walletOf',
    args: [key.address, salt],
  })
  if (kind === 'ERC-1271') await rpc.send({ from: admin, to: factory, data: factoryData })
  if (kind === 'EIP-7702') await rpc.setCode(key.address, `0xef0100${delegate.slice(2)}`)
  const contract = kind === 'ERC-1271' || kind === 'ERC-6492'
  const wrap = (signature: Hex) =>
    kind === 'ERC-6492'
      ? serializeErc6492Signature({ address: factory, data: factoryData, signature })
      : signature
  return {
    key,
    address: contract ? counterfactual : key.address,
    hasCode: kind === 'ERC-1271' || kind === 'EIP-7702',
    wrap,
    deploy: () => rpc.send({ from: admin, to: factory, data: factoryData }),
    /** A viem account with this address that signs with the key and wraps signatures if needed. */
    signer: {
      address: contract ? counterfactual : key.address,
      type: 'smart' as const,
      signTypedData: async (typedData: never) => wrap(await key.signTypedData(typedData)),
      signMessage: async (message: never) => wrap(await key.signMessage(message)),
    },
  }
}

describe('an account with code that must be prepared first (ERC-6492)', () => {
  const account: Address = '0x00000000000000000000000000000000000acc01'
  const preparer: Address = '0x00000000000000000000000000000000000fac01'
  // A call without data prepares the account. Before that, it reverts; afterwards, it accepts every signature.
  const readyLater =
    '0x36600a57600160005500' + '5b60005460165760006000fd' + '5b631626ba7e60e01b60005260206000f3'
  // Always reverts.
  const failing: Address = '0x00000000000000000000000000000000000fac02'
  // Calls the address at the start of its call data, and reverts if that call reverts.
  const calling = '0x60006000600060006000600035' + '5af1601757' + '60006000fd5b00'
  const digest: Hex = `0x${'42'.repeat(32)}`
  const verify = (wrapping: { address: Address; data: Hex } | undefined) =>
    verifyAuthMessage({
      message: digest,
      address: account,
      signature:
        wrapping === undefined ? '0x1234' : serializeErc6492Signature({ ...wrapping, signature: '0x1234' }),
      client: client(),
    })
  const ready = { address: preparer, data: `0x${account.slice(2).padStart(64, '0')}` } as const

  beforeAll(async () => {
    await chain().setCode(account, readyLater as Hex)
    await chain().setCode(preparer, calling as Hex)
    await chain().setCode(failing, '0x60006000fd')
  })
  test('accepts the signature after the wrapped call, without changing state', async () => {
    expect(await verify(ready)).toBe(true)
    expect(await verify(undefined)).toBe(false)
  })
  test.each<[string, { address: Address; data: Hex }]>([
    ['prepares nothing', { address: preparer, data: `0x${shop.slice(2).padStart(64, '0')}` }],
    ['fails', { address: failing, data: ready.data }],
  ])('rejects the signature after a wrapped call that %s', async (_, wrapping) => {
    expect(await verify(wrapping)).toBe(false)
  })
  test('accepts the signature without the wrapped call once the account is prepared', async () => {
    await chain().send({ from: admin, to: account, data: '0x' })
    expect(await verify(undefined)).toBe(true)
    // The wrapped call would fail, but is not made.
    expect(await verify({ address: failing, data: '0x' })).toBe(true)
  })
})

const forms = {
  packed: (signature: Hex): Hex => signature,
  'v, r, s': (signature: Hex): SignatureInput => ({
    r: `0x${signature.slice(2, 66)}`,
    s: `0x${signature.slice(66, 130)}`,
    v: Number.parseInt(signature.slice(130), 16),
  }),
  compact: (signature: Hex): Hex => {
    const parity = signature.endsWith('1c') ? 1n << 255n : 0n
    const s = BigInt(`0x${signature.slice(66, 130)}`) | parity
    return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}`
  },
} as const

const authorizationOf = (
  from: Address,
  to: Address,
  nonce = keccak256(generatePrivateKey()),
): UsdcAuthorization => ({
  from,
  to,
  value: 1_500_000n,
  validAfter: 0n,
  validBefore: time + 3600n,
  nonce,
})

describe('the contract computes the same hashes', () => {
  test.each([
    ['', 0n, 0n],
    ['my-shop', 1_030_000n, 1_800_000_000n],
    ['Ünïcode 🛒 balance', 2n ** 256n - 1n, 2n ** 256n - 1n],
    ['x'.repeat(300), 1n, 2n ** 64n],
  ])('permit for %j', async (seed, amount, validBefore) => {
    const permit: CreditPermit = {
      customerWallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      creditSeed: seed,
      amount,
      validBefore,
      nonce: keccak256(stringToHex(seed)),
    }
    const theirs = await client().readContract({
      address: credits,
      abi: creditsAbi,
      functionName: 'hashCreditsAuthorization',
      args: [{ ...permit, signature: '0x' }],
    })
    expect(hashCreditPermit({ domain: domain(), permit })).toBe(theirs)
    const cancel = { customerWallet: permit.customerWallet, nonce: permit.nonce }
    expect(hashCancelCreditPermit({ domain: domain(), ...cancel })).toBe(
      await client().readContract({
        address: credits,
        abi: creditsAbi,
        functionName: 'hashCancelCreditsAuthorization',
        args: [cancel.customerWallet, cancel.nonce],
      }),
    )
  })

  test.each(vectors.cases)('settlement and nonce of $name', async (vector) => {
    // The vectors are JSON as sent on the wire.
    const transactionData = vector.transactionData as TransactionData
    const hash = await client().readContract({
      address: credits,
      abi: creditsAbi,
      functionName: 'hashSettlement',
      args: [settlementOf(transactionData)],
    })
    expect(settlementHash(transactionData, { bridgeAdapter })).toBe(hash)
    expect(hash).toBe(vector.settlementHash)
    const intent = {
      amount: BigInt(vectors.amount),
      usdcAmount: BigInt(vector.usdcAmount),
      salt: vectors.salt as Hex,
    }
    const customerWallet = vectors.customerWallet as Address
    const { merchantId, purchaseId } = vectors.order
    const key = orderKey({ merchantId, purchaseId })
    expect(redeemIntentNonce({ orderKey: key, customerWallet, settlementHash: hash, ...intent })).toBe(
      await client().readContract({
        address: credits,
        abi: creditsAbi,
        functionName: 'intentNonce',
        args: [key, customerWallet, hash, intent],
      }),
    )
  })
})

describe.each(kinds)('%s account', (kind) => {
  describe.each(Object.keys(forms) as (keyof typeof forms)[])('%s signature', (form) => {
    // A contract account defines its signature format. This one accepts 65 bytes, but no compact signatures.
    const accepted = kind === 'key-held' || form !== 'compact'

    test('of a permit is valid, and invalid for every other permit', async () => {
      const account = await makeAccount(kind)
      const permit: CreditPermit = {
        customerWallet: account.address,
        creditSeed,
        amount: 1_030_000n,
        validBefore: time + 600n,
        nonce: keccak256(generatePrivateKey()),
      }
      const packed = await account.key.signTypedData(creditPermitTypedData({ domain: domain(), permit }))
      const signature = inForm(account, form, packed)
      const options = { domain: domain(), permit, signature, client: client() }
      expect(await verifyCreditPermit(options)).toBe(accepted)
      expect(await verifyCreditPermit({ ...options, client: undefined })).toBe(
        // Signatures of keys and of delegated accounts verify offline.
        kind === 'key-held' || kind === 'EIP-7702',
      )
      const others: Partial<CreditPermit>[] = [
        { customerWallet: shop },
        { creditSeed: 'my-shop ' },
        { amount: 1_030_001n },
        { validBefore: time + 601n },
        { nonce: keccak256(permit.nonce) },
      ]
      for (const other of others)
        expect(await verifyCreditPermit({ ...options, permit: { ...permit, ...other } })).toBe(false)
      const domains: Partial<CreditPermitDomain>[] = [
        { name: 'credits' },
        { version: '2' },
        { chainId: 8453 },
        { verifyingContract: usdc },
      ]
      for (const other of domains)
        expect(await verifyCreditPermit({ ...options, domain: { ...domain(), ...other } })).toBe(false)
    })

    test('of an authorization is judged as the token judges it', async () => {
      const account = await makeAccount(kind)
      const authorization = authorizationOf(account.address, shop)
      const packed = await account.key.sign({
        hash: hashUsdcAuthorization({ chainId, type: 'TransferWithAuthorization', authorization }),
      })
      const signature = inForm(account, form, packed)
      const options = { chainId, type: 'TransferWithAuthorization' as const, authorization, signature }
      expect(await verifyUsdcAuthorization({ ...options, client: client() })).toBe(accepted)
      expect(
        await verifyUsdcAuthorization({ ...options, type: 'ReceiveWithAuthorization', client: client() }),
      ).toBe(false)
      expect(
        await verifyUsdcAuthorization({
          ...options,
          authorization: { ...authorization, value: 1_500_001n },
          client: client(),
        }),
      ).toBe(false)

      // The token does not unwrap ERC-6492: the sender deploys the account first, then sends the inner signature.
      if (kind === 'ERC-6492') await account.deploy()
      const record = toUsdcAuthorizationV2(
        { authorization, signature: kind === 'ERC-6492' ? forms[form](packed) : signature },
        { hasCode: kind !== 'key-held' },
      )
      await giveUsdc(account.address, authorization.value)
      const before = await balanceOf(shop)
      const sent = chain().send({
        from: admin,
        to: usdc,
        data: encodeFunctionData({
          abi: mockUsdcAbi,
          functionName: 'transferWithAuthorization',
          args: [...argumentsOf(authorization), record.signature],
        }),
      })
      if (accepted) await sent
      else await expect(sent).rejects.toThrow()
      expect((await balanceOf(shop)) - before).toBe(accepted ? authorization.value : 0n)
    })
  })

  test('of a sign-in text is valid', async () => {
    const account = await makeAccount(kind)
    const message = 'hello'
    const signature = account.wrap(await account.key.signMessage({ message }))
    const options = { message, address: account.address, signature, client: client() }
    expect(await verifyAuthMessage(options)).toBe(true)
    expect(await verifyAuthMessage({ ...options, message: 'hullo' })).toBe(false)
  })

  test('cancels a permit and an authorization', async () => {
    const account = await makeAccount(kind)
    const nonce = keccak256(generatePrivateKey())
    const state = async () => {
      const key = { creditsContract: credits, wallet: account.address, orderKey: orderKeyOf(nonce) }
      return (await orderState(client(), key)).state
    }
    expect(await state()).toBe('unused')
    const signed = await cancelCreditPermit(account.signer, {
      domain: domain(),
      customerWallet: account.address,
      nonce,
      client: client(),
    })
    const signedUsdc = await cancelUsdcAuthorization(account.signer, {
      chainId,
      authorizer: account.address,
      nonce,
      client: client(),
    })
    if (kind === 'ERC-6492') await account.deploy()
    const inner = (signature: Hex) => (kind === 'ERC-6492' ? innerOf(signature) : signature)
    await chain().send({
      from: shop,
      to: credits,
      data: encodeFunctionData({
        abi: creditsAbi,
        functionName: 'cancelCreditsAuthorization',
        args: [account.address, nonce, inner(signed)],
      }),
    })
    expect(await state()).toBe('cancelled')
    await chain().send({
      from: shop,
      to: usdc,
      data: encodeFunctionData({
        abi: mockUsdcAbi,
        functionName: 'cancelAuthorization',
        args: [account.address, nonce, inner(signedUsdc)],
      }),
    })
    expect(
      await client().readContract({
        address: usdc,
        abi: mockUsdcAbi,
        functionName: 'authorizationState',
        args: [account.address, nonce],
      }),
    ).toBe(true)
  })

  const versions: readonly ('V1' | 'V2')[] = kind === 'key-held' ? ['V1', 'V2'] : ['V2']
  test.each(versions)('redeems with credits and USDC %s', async (version) => {
    const account = await makeAccount(kind)
    const wallet = account.address
    const transactionData = token({ destination: shop })
    const intent = { amount: 3_000_000n, usdcAmount: 1_000_000n, salt: keccak256(generatePrivateKey()) }
    const key = orderKey({ merchantId: 'sandbox-shop', purchaseId: generatePrivateKey() })
    const nonce = redeemIntentNonce({
      orderKey: key,
      customerWallet: wallet,
      settlementHash: settlementHash(transactionData),
      ...intent,
    })
    const now = () => Number(time) * 1000
    const permit = { customerWallet: wallet, creditSeed, amount: 2_000_000n, validBefore: time + 600n, nonce }
    const permitCredits = await signCreditPermit(account.signer, {
      domain: domain(),
      permit,
      now,
      client: client(),
    })
    const authorization = {
      from: wallet,
      to: credits,
      value: intent.usdcAmount,
      validAfter: 0n,
      validBefore: permit.validBefore,
      nonce,
    }
    const signature = await signUsdcAuthorization(account.signer, {
      chainId,
      type: 'ReceiveWithAuthorization',
      authorization,
      now,
      client: client(),
    })
    if (kind === 'ERC-6492') await account.deploy()
    const inner = (bytes: Hex) => (kind === 'ERC-6492' ? innerOf(bytes) : bytes)
    await giveUsdc(wallet, intent.usdcAmount)
    await chain().send({
      from: admin,
      to: credits,
      data: encodeFunctionData({
        abi: creditsAbi,
        functionName: 'mint',
        args: [creditSeed, wallet, permit.amount],
      }),
    })
    const v1 = version === 'V1' ? toUsdcAuthorizationV1({ authorization, signature }) : undefined
    const before = await balanceOf(shop)
    await chain().send({
      from: admin,
      to: credits,
      data: encodeFunctionData({
        abi: creditsAbi,
        functionName: 'redeem',
        args: [
          {
            permit: { ...permit, signature: inner(permitCredits) },
            intent,
            settlement: settlementOf(transactionData),
            usdcAuthorization: {
              method: version === 'V1' ? 3 : 4,
              signature:
                v1 === undefined ? inner(signature) : normalizeSignature({ r: v1.r, s: v1.s, v: v1.v }),
            },
            gasFee: 0n,
          },
        ],
      }),
    })
    expect((await balanceOf(shop)) - before).toBe(intent.amount)
    expect(await orderState(client(), { creditsContract: credits, wallet, orderKey: key })).toMatchObject({
      state: 'redeemed',
      commitment: commitmentOf(nonce),
    })
  })

  test("detects another account's signature before sending it", async () => {
    const account = await makeAccount(kind)
    const stranger = privateKeyToAccount(generatePrivateKey())
    const impostor = {
      ...account.signer,
      signTypedData: async (typedData: never) => account.wrap(await stranger.signTypedData(typedData)),
    }
    await expect(
      cancelCreditPermit(impostor, {
        domain: domain(),
        customerWallet: account.address,
        nonce: keccak256('0x01'),
        client: client(),
      }),
    ).rejects.toThrow(expect.objectContaining({ name: 'WrongSignatureError', field: 'signature' }))
  })
})

test("another client's wallet redeems on this chain and on a second one", async () => {
  const key = privateKeyToAccount(generatePrivateKey())
  const permit: CreditPermit = {
    customerWallet: key.address,
    creditSeed,
    amount: 1n,
    validBefore: time + 600n,
    nonce: keccak256('0x02'),
  }
  const now = () => Number(time) * 1000
  const wallet = createWalletClient({ account: key, transport: http(url) })
  const signature = await signCreditPermit(wallet, { domain: domain(), permit, now })
  expect(await verifyCreditPermit({ domain: domain(), permit, signature })).toBe(true)

  // The node itself signs for this account (JSON-RPC account).
  const [held] = (await client().request({ method: 'eth_accounts' } as never)) as [Address]
  const remote = createWalletClient({ account: held, transport: http(url) })
  const theirs = { ...permit, customerWallet: held }
  const remoteSignature = await signCreditPermit(remote, { domain: domain(), permit: theirs, now })
  expect(await verifyCreditPermit({ domain: domain(), permit: theirs, signature: remoteSignature })).toBe(
    true,
  )
  await expect(
    signCreditPermit(remote, { domain: { ...domain(), chainId: 8453 }, permit: theirs, now }),
  ).rejects.toThrow(expect.objectContaining({ name: 'WrongNetworkError', field: 'domain.chainId' }))
})

test('an unreachable node throws an error, and is never reported as an invalid signature', async () => {
  const gone = createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) })
  const account = await makeAccount('key-held')
  const signature = await account.key.signMessage({ message: 'hello' })
  await expect(
    verifyAuthMessage({ message: 'hello', address: account.address, signature, client: gone }),
  ).rejects.toThrow(expect.objectContaining({ name: 'ChainReadError', field: 'client' }))
  await expect(
    orderState(client(), { creditsContract: shop, wallet: shop, orderKey: `0x${'ee'.repeat(12)}` }),
  ).rejects.toThrow(expect.objectContaining({ name: 'ChainReadError', field: 'creditsContract' }))
})

function inForm(
  account: Awaited<ReturnType<typeof makeAccount>>,
  form: keyof typeof forms,
  packed: Hex,
): SignatureInput {
  const shaped = forms[form](packed)
  const wrapped = account.wrap('0x') !== '0x'
  return wrapped ? account.wrap(typeof shaped === 'string' ? shaped : packed) : shaped
}

const innerOf = (wrapped: Hex): Hex => {
  const body = wrapped.slice(2, -64)
  const offset = Number.parseInt(body.slice(128, 192), 16) * 2
  const length = Number.parseInt(body.slice(offset, offset + 64), 16) * 2
  return `0x${body.slice(offset + 64, offset + 64 + length)}`
}

const argumentsOf = (authorization: UsdcAuthorization) => {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return [from, to, value, validAfter, validBefore, nonce] as const
}

const balanceOf = (address: Address) =>
  client().readContract({ address: usdc, abi: mockUsdcAbi, functionName: 'balanceOf', args: [address] })
