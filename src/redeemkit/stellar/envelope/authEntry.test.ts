import { Address, authorizeEntry, hash, Keypair, nativeToScVal, xdr } from 'stellar-sdk-16'
import { describe, expect, test, vi } from 'vitest'
import { inspectRequest } from '../inspect/inspectRequest.ts'

// SDK 15 cannot read CAP-71, so the fixtures are built with SDK 16.
vi.mock('@stellar/stellar-sdk', () => import('stellar-sdk-16'))
const { formatInspection, signAuthEntry } = await import('../index.ts')
const fixture = await import('../stellar.fixture.ts')
const { call, customer, from, networkPassphrase, options, stranger } = fixture

type Arm = 'addressV2' | 'addressWithDelegates'
const delegateOf = (key: string, nestedDelegates: xdr.SorobanDelegateSignature[] = []) =>
  new xdr.SorobanDelegateSignature({
    address: Address.fromString(key).toScAddress(),
    signature: xdr.ScVal.scvVoid(),
    nestedDelegates,
  })
function entryOf(arm: Arm, delegates: xdr.SorobanDelegateSignature[] = [], until = 1060) {
  const addressCredentials = new xdr.SorobanAddressCredentials({
    address: Address.fromString(from).toScAddress(),
    nonce: new xdr.Int64(77n),
    signatureExpirationLedger: until,
    signature: xdr.ScVal.scvVoid(),
  })
  return new xdr.SorobanAuthorizationEntry({
    credentials:
      arm === 'addressV2'
        ? xdr.SorobanCredentials.sorobanCredentialsAddressV2(addressCredentials)
        : xdr.SorobanCredentials.sorobanCredentialsAddressWithDelegates(
            new xdr.SorobanAddressCredentialsWithDelegates({ addressCredentials, delegates }),
          ),
    // The fixture's value, parsed again with the types of SDK 15.
    rootInvocation: xdr.SorobanAuthorizedInvocation.fromXDR(
      fixture.entry().rootInvocation().toXDR('base64'),
      'base64',
    ),
  })
}
const look = (authEntry: string) => inspectRequest({ authEntry }, { ...options, expected: call })
const sign = { environment: 'sandbox', now: options.now, latestLedger: 1000, expected: call } as const

describe('an authorization that contains its address (CAP-71)', () => {
  const authEntry = entryOf('addressV2').toXDR('base64')
  test('passes as the expected authorization', () => {
    expect(look(authEntry)).toMatchObject({
      verdict: 'ok',
      details: { authorizations: [{ address: from, validUntilLedger: 1060, isSigned: false }] },
    })
  })
  test('is signed as the SDK signs it', async () => {
    const sdk = await authorizeEntry(
      entryOf('addressV2'),
      Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1)),
      1060,
      networkPassphrase,
    )
    expect(await signAuthEntry(customer, { ...sign, authEntry })).toBe(sdk.toXDR('base64'))
    expect(look(sdk.toXDR('base64'))).toMatchObject({
      verdict: 'ok',
      details: { authorizations: [{ isSigned: true }] },
    })
  })
  test('refuses a signature that was made over a preimage without an address', async () => {
    const entry = entryOf('addressV2')
    const older = await authorizeEntry(
      xdr.SorobanAuthorizationEntry.fromXDR(fixture.entry().toXDR('base64'), 'base64'),
      Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1)),
      1060,
      networkPassphrase,
    )
    entry.credentials().addressV2().signature(older.credentials().address().signature())
    expect(look(entry.toXDR('base64')).findings).toMatchObject([{ code: 'FOREIGN_SIGNATURE' }])
  })
  test('has a preimage that is valid only for its own address', async () => {
    let preimage: xdr.HashIdPreimage | undefined
    await authorizeEntry(
      entryOf('addressV2'),
      async (asked: xdr.HashIdPreimage) => {
        preimage = asked
        return { signature: customer.sign(hash(asked.toXDR())), publicKey: from }
      },
      1060,
      networkPassphrase,
    )
    const own = preimage?.toXDR('base64') ?? ''
    expect(look(own).verdict).toBe('ok')
    expect(await signAuthEntry(customer, { ...sign, authEntry: own })).toMatch(/^[\w+/]{86}==$/)
    preimage
      ?.sorobanAuthorizationWithAddress()
      .address(Address.fromString(stranger.publicKey()).toScAddress())
    const foreign = preimage?.toXDR('base64') ?? ''
    expect(look(foreign).findings).toMatchObject([{ code: 'WRONG_ACCOUNT', field: 'preimage.address' }])
    // Without an expectation, the wallet may be a delegate of the named account.
    const alone = inspectRequest({ authEntry: foreign }, options)
    expect(alone).toMatchObject({
      verdict: 'caution',
      details: { authorizations: [{ address: stranger.publicKey() }] },
    })
    expect(formatInspection(alone).title).toMatch(/^For G\w{3}…\w{4}: Calls buy of the contract /)
    // A loss of the named account counts as a loss of the user.
    const given = [stranger.publicKey(), fixture.shop].map((one) => Address.fromString(one).toScVal())
    const most = nativeToScVal(2n ** 126n, { type: 'i128' })
    const approve = new xdr.InvokeContractArgs({
      contractAddress: Address.fromString(fixture.network.usdc.contract).toScAddress(),
      functionName: 'approve',
      args: [...given, most, xdr.ScVal.scvU32(5000)],
    })
    preimage?.sorobanAuthorizationWithAddress().invocation(
      new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(approve),
        subInvocations: [],
      }),
    )
    expect(inspectRequest({ authEntry: preimage?.toXDR('base64') ?? '' }, options).verdict).toBe('refuse')
  })
})

describe('an authorization with delegates (CAP-71)', () => {
  const inner = delegateOf(fixture.sponsor.publicKey())
  const authEntry = entryOf('addressWithDelegates', [delegateOf(stranger.publicKey(), [inner])]).toXDR(
    'base64',
  )
  test('is refused, and its delegates are listed', () => {
    const names = [stranger.publicKey(), fixture.sponsor.publicKey()]
    expect(look(authEntry)).toMatchObject({
      verdict: 'refuse',
      findings: names.map((name) => ({ code: 'EXTRA_SIGNER', message: expect.stringContaining(name) })),
      details: { authorizations: [{ address: from, delegates: names }] },
    })
  })
  test('is not signed', async () => {
    await expect(signAuthEntry(customer, { ...sign, authEntry })).rejects.toMatchObject({
      name: 'RefusedTransactionError',
    })
  })
})
