import { type Address, encodeDeployData, encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smartWalletAbi, smartWalletBytecode } from '../../contracts/generated/smartWallets.ts'
import {
  cancelUsdcAuthorization,
  hashUsdcAuthorization,
  networks,
  signUsdcAuthorization,
  toUsdcAuthorizationV1,
  toUsdcAuthorizationV2,
  type UsdcAuthorization,
  type UsdcAuthorizationType,
  usdcToken,
  verifyUsdcAuthorization,
} from '../../src/redeemkit/evm/index.ts'
import { type Fork, forkVariable, startFork } from './startFork.ts'

// The token's interface, used for any contract at its address.
const abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address) view returns (uint256)',
  'function authorizationState(address, bytes32) view returns (bool)',
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32)',
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
  'function receiveWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32)',
  'function receiveWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
  'function cancelAuthorization(address, bytes32, uint8, bytes32, bytes32)',
  'function cancelAuthorization(address, bytes32, bytes)',
])
const functions = {
  TransferWithAuthorization: 'transferWithAuthorization',
  ReceiveWithAuthorization: 'receiveWithAuthorization',
} as const
const types: readonly UsdcAuthorizationType[] = ['TransferWithAuthorization', 'ReceiveWithAuthorization']
const relayer: Address = '0x00000000000000000000000000000000000e1a1e'

describe.each(networks.filter(({ usdc }) => usdc))('$name ($chainId)', (network) => {
  const { chainId } = network
  const { address: usdc, name, version, decimals, domainSeparator } = usdcToken({ chainId })
  const person = privateKeyToAccount(generatePrivateKey())
  const shop = privateKeyToAccount(generatePrivateKey()).address
  let fork: Fork
  let time = 0n

  beforeAll(async () => {
    fork = await startFork(network)
    time = (await fork.rpc.client.getBlock()).timestamp
    await fork.giveUsdc(person.address, 100_000_000n)
  })
  afterAll(() => fork?.stop())

  const read = <result>(functionName: string, args: readonly unknown[] = []) =>
    // Callers specify the function's return type.
    fork.rpc.client.readContract({ address: usdc, abi, functionName, args } as never) as Promise<result>
  const call = async (from: Address, functionName: string, args: readonly unknown[]) => {
    // viem selects the overload by its arguments.
    const data = encodeFunctionData({ abi, functionName, args } as never)
    // Simulated first, because a mined transaction does not return a revert reason.
    await fork.rpc.client.call({ account: from, to: usdc, data })
    return fork.rpc.send({ from, to: usdc, data })
  }
  const now = () => Number(time) * 1000
  const authorize = (edit: Partial<UsdcAuthorization> = {}): UsdcAuthorization => ({
    from: person.address,
    to: shop,
    value: 1_250_000n,
    validAfter: 0n,
    validBefore: time + 3600n,
    nonce: keccak256(generatePrivateKey()),
    ...edit,
  })
  const messageOf = ({ from, to, value, validAfter, validBefore, nonce }: UsdcAuthorization) =>
    [from, to, value, validAfter, validBefore, nonce] as const

  test(`the token is the pinned one (${process.env[forkVariable(network)] === undefined ? 'local origin' : 'real origin'})`, async () => {
    expect(await read('name')).toBe(name)
    expect(await read('version')).toBe(version)
    expect(await read('decimals')).toBe(decimals)
    expect(await read('DOMAIN_SEPARATOR')).toBe(domainSeparator)
  })

  test.each(types.flatMap((type) => [[type, 'V1'] as const, [type, 'V2'] as const]))(
    '%s %s',
    async (type, form) => {
      const authorization = authorize()
      const signature = await signUsdcAuthorization(person, { chainId, type, authorization, now })
      expect(
        await verifyUsdcAuthorization({ chainId, type, authorization, signature, client: fork.rpc.client }),
      ).toBe(true)
      const v1 = toUsdcAuthorizationV1({ authorization, signature })
      const v2 = toUsdcAuthorizationV2(v1)
      const args = [...messageOf(authorization), ...(form === 'V1' ? [v1.v, v1.r, v1.s] : [v2.signature])]
      const sender = type === 'ReceiveWithAuthorization' ? shop : relayer
      const before = await read<bigint>('balanceOf', [shop])
      await call(sender, functions[type], args)
      expect(await read<bigint>('balanceOf', [shop])).toBe(before + authorization.value)
      expect(await read('authorizationState', [person.address, authorization.nonce])).toBe(true)
      await expect(call(sender, functions[type], args)).rejects.toThrow(/used or canceled/)
    },
  )

  test.each(['V1', 'V2'])('cancels an authorization with %s', async (form) => {
    const authorization = authorize()
    const type = 'TransferWithAuthorization'
    const signature = await signUsdcAuthorization(person, { chainId, type, authorization, now })
    const { from: authorizer, nonce } = authorization
    const cancelled = await cancelUsdcAuthorization(person, { chainId, authorizer, nonce })
    const parts = [
      Number.parseInt(cancelled.slice(130), 16),
      cancelled.slice(0, 66),
      `0x${cancelled.slice(66, 130)}`,
    ]
    await call(relayer, 'cancelAuthorization', [authorizer, nonce, ...(form === 'V1' ? parts : [cancelled])])
    expect(await read('authorizationState', [authorizer, nonce])).toBe(true)
    await expect(call(relayer, functions[type], [...messageOf(authorization), signature])).rejects.toThrow(
      /used or canceled/,
    )
  })

  test('a smart account pays with V2', async () => {
    const { contractAddress } = await fork.rpc.send({
      from: relayer,
      data: encodeDeployData({ abi: smartWalletAbi, bytecode: smartWalletBytecode, args: [person.address] }),
    })
    if (contractAddress === undefined) throw new Error('not deployed')
    await fork.giveUsdc(contractAddress, 2_000_000n)
    const authorization = authorize({ from: contractAddress })
    const type = 'TransferWithAuthorization'
    const signature = await person.sign({ hash: hashUsdcAuthorization({ chainId, type, authorization }) })
    expect(await verifyUsdcAuthorization({ chainId, type, authorization, signature })).toBe(false)
    expect(
      await verifyUsdcAuthorization({ chainId, type, authorization, signature, client: fork.rpc.client }),
    ).toBe(true)
    const { signature: bytes } = toUsdcAuthorizationV2({ authorization, signature }, { hasCode: true })
    await call(relayer, functions[type], [...messageOf(authorization), bytes])
    expect(await read<bigint>('balanceOf', [contractAddress])).toBe(750_000n)
  })

  test('the token rejects changes after signing', async () => {
    const authorization = authorize()
    const type = 'TransferWithAuthorization'
    const signature = await signUsdcAuthorization(person, { chainId, type, authorization, now })
    const others: Partial<UsdcAuthorization>[] = [
      { to: relayer },
      { value: authorization.value + 1n },
      { validAfter: 1n },
      { validBefore: authorization.validBefore + 1n },
      { nonce: keccak256(authorization.nonce) },
    ]
    for (const other of others)
      await expect(
        call(relayer, functions[type], [...messageOf({ ...authorization, ...other }), signature]),
      ).rejects.toThrow(/invalid signature/)
    await expect(
      call(shop, functions.ReceiveWithAuthorization, [...messageOf(authorization), signature]),
    ).rejects.toThrow(/invalid signature/)
    const high = highS(signature)
    await expect(call(relayer, functions[type], [...messageOf(authorization), high])).rejects.toThrow(
      /'s' value/,
    )
    const { signature: low } = toUsdcAuthorizationV2({ authorization, signature: high })
    await call(relayer, functions[type], [...messageOf(authorization), low])
  })

  test('only the payee can use a ReceiveWithAuthorization, and only while it is valid', async () => {
    const type = 'ReceiveWithAuthorization'
    const sign = async (edit: Partial<UsdcAuthorization>) => {
      const authorization = authorize(edit)
      const hash = hashUsdcAuthorization({ chainId, type, authorization })
      return [...messageOf(authorization), await person.sign({ hash })]
    }
    await expect(call(relayer, functions[type], await sign({}))).rejects.toThrow(/caller must be the payee/)
    await expect(call(shop, functions[type], await sign({ validBefore: time }))).rejects.toThrow(/expired/)
    await expect(call(shop, functions[type], await sign({ validAfter: time + 3000n }))).rejects.toThrow(
      /not yet valid/,
    )
  })
})

function highS(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  return `0x${signature.slice(2, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`
}
