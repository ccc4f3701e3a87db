import { describe, expect, test } from 'vitest'
import { signAuthMessage, verifyAuthMessage } from '../index.ts'
import { inspectRequest } from '../inspect/inspectRequest.ts'
import { Account, Memo, Operation, Transaction } from '../sdk.ts'
import { MuxedAccount, WebAuth } from '../stellar.fixture.ts'
import { base, challenge, forbidden, network, other, server, wallet } from './authMessage.fixture.ts'

const serverKey = server.publicKey()
const address = wallet.publicKey()
const { signMessage: _, ...noText } = forbidden
const clientDomain = { domain: 'wallet.example', key: other.publicKey() }
const muxed = new MuxedAccount(new Account(address, '0'), '77').accountId()
const client = { name: 'client_domain', value: 'wallet.example', source: other.publicKey() }
const withClient = (change: object = {}, signers = [server]) =>
  challenge(
    ({ auth, domain }) => [
      Operation.manageData(auth),
      Operation.manageData(domain),
      Operation.manageData({ ...client, ...change }),
    ],
    { signers },
  )
const withMemo = (memo: Memo) =>
  challenge(({ builder }) => {
    builder.addMemo(memo)
    return undefined
  })
const forUser = (source: string) =>
  challenge(({ auth, domain }) => [Operation.manageData({ ...auth, source }), Operation.manageData(domain)])
const signedAlsoBy = (transactionXdr: string) => {
  const transaction = new Transaction(transactionXdr, network.networkPassphrase)
  transaction.sign(other)
  return transaction.toXDR()
}

describe('a challenge', () => {
  test.each<[string, string, object]>([
    ['with a client domain', withClient(), { clientDomain }],
    ['already signed by the client domain', withClient({}, [server, other]), { clientDomain }],
    ['with a memo', withMemo(Memo.id('12345678901234567890')), { memoId: '12345678901234567890' }],
    ['for a muxed account', forUser(muxed), { address: muxed }],
  ])('%s is signed and verified if the caller requests it', async (_, transaction, terms) => {
    const asked = { ...base, serverKey, transaction, ...terms }
    const { signedMessage } = await signAuthMessage(wallet, { ...asked, via: undefined })
    const handedIn = 'clientDomain' in terms ? signedAlsoBy(signedMessage) : signedMessage
    expect(verifyAuthMessage({ address, ...asked, signedMessage: handedIn })).toBe(true)
    for (const change of [{ memoId: '5' }, { address: other.publicKey() }])
      expect(() =>
        expect(verifyAuthMessage({ address, ...asked, signedMessage: handedIn, ...change })).toBe(true),
      ).toThrow()
  })
  test("with a client domain verifies only with the client domain's signature", async () => {
    const asked = { ...base, serverKey, transaction: withClient(), clientDomain, address }
    const { signedMessage } = await signAuthMessage(wallet, asked)
    expect(verifyAuthMessage({ ...asked, signedMessage })).toBe(false)
  })
  test.each<[string, string, object, string]>([
    ['an unexpected client domain', withClient(), {}, 'transaction.operations[2].name'],
    [
      'a different client domain',
      withClient({ value: 'evil.example' }),
      { clientDomain },
      'transaction.operations[2].value',
    ],
    [
      'the client domain with a different key',
      withClient({ source: serverKey }),
      { clientDomain },
      'transaction.operations[2].source',
    ],
    ['no client domain', challenge(), { clientDomain }, 'transaction.operations'],
    [
      'an extra signature of another account',
      withClient({}, [server, wallet]),
      { clientDomain },
      'transaction.signatures',
    ],
    [
      'only the client domain’s signature',
      withClient({}, [other]),
      { clientDomain },
      'transaction.signatures',
    ],
    [
      'the server’s signature twice',
      withClient({}, [server, server]),
      { clientDomain },
      'transaction.signatures',
    ],
    ['another memo', withMemo(Memo.id('8')), { memoId: '7' }, 'transaction.memo'],
    ['no memo', challenge(), { memoId: '7' }, 'transaction.memo'],
    ['a memo of another type', withMemo(Memo.text('7')), { memoId: '7' }, 'transaction.memo'],
    [
      'a different muxed account',
      forUser(new MuxedAccount(new Account(address, '0'), '78').accountId()),
      { address: muxed },
      'transaction.operations[0].source',
    ],
    ['no muxed account', challenge(), { address: muxed }, 'transaction.operations[0].source'],
    ['an unexpected muxed account', forUser(muxed), {}, 'transaction.operations[0].source'],
  ])('with %s is refused before any prompt', async (_, transaction, terms, field) => {
    await expect(
      signAuthMessage(noText, { ...base, serverKey, transaction, ...terms }),
    ).rejects.toMatchObject({ name: 'InvalidAuthMessageError', field })
  })
  test.each<[string, object, string, string]>([
    ['a memo that is not a number', { memoId: 'seven' }, 'memo', 'InvalidMemoError'],
    ['a user in both memoId and address', { memoId: '7', address: muxed }, 'memoId', 'InvalidOptionError'],
    [
      'a client domain that is a string',
      { clientDomain: 'wallet.example' },
      'clientDomain.domain',
      'InvalidOptionError',
    ],
    [
      'a client domain without a key',
      { clientDomain: { domain: 'wallet.example' } },
      'clientDomain.key',
      'InvalidAddressError',
    ],
  ])('cannot be requested with %s', async (_, terms, field, name) => {
    await expect(
      signAuthMessage(noText, { ...base, serverKey, transaction: challenge(), ...terms } as never),
    ).rejects.toMatchObject({ name, field })
  })
  test.each<[string, string, object, string]>([
    ['alone', challenge(), {}, 'Site: shop.example'],
    ['with a client domain', withClient(), { clientDomain }, 'Through: wallet.example'],
    ['with a memo', withMemo(Memo.id('7')), { memoId: '7' }, 'User: 7'],
  ])('%s is described', (_, transaction, terms, line) => {
    const origin = 'https://shop.example'
    const { environment, now } = base
    const { verdict, summary } = inspectRequest(
      { transaction },
      { environment, now, origin, address, serverKey, ...terms },
    )
    expect(verdict).toBe('ok')
    expect(summary).toMatch(/^Signs in to shop\.example as .*, by a transaction that can never execute\.\n/)
    expect(summary).toContain(line)
  })
})

test('the SDK’s own challenge with client domain and memo passes', async () => {
  const transaction = WebAuth.buildChallengeTx(
    server,
    address,
    'shop.example',
    600,
    network.networkPassphrase,
    'shop.example',
    '7',
    'wallet.example',
    other.publicKey(),
  )
  const asked = { ...base, now: Date.now, serverKey, transaction, memoId: '7', clientDomain, address }
  const { signedMessage } = await signAuthMessage(wallet, asked)
  const handedIn = signedAlsoBy(signedMessage)
  expect(verifyAuthMessage({ ...asked, signedMessage: handedIn })).toBe(true)
  expect(
    WebAuth.verifyChallengeTxSigners(
      handedIn,
      serverKey,
      network.networkPassphrase,
      [address],
      'shop.example',
      'shop.example',
    ),
  ).toEqual([address])
})
