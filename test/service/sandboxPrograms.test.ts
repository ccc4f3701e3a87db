import { stripVTControlCharacters } from 'node:util'
import { createPublicClient, erc20Abi, type Hex, http, keccak256, type LocalAccount, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import { sandboxScreen } from '../../src/sandbox/cli/sandboxScreen.ts'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/index.ts'
import {
  type Answer,
  type Caller,
  caller,
  creditsAuthMsgPath,
  overHttp,
  publicClient,
  sendGaslessTxPath,
} from './sandboxClient.ts'

/** The calls of third-party programs to a service of this kind, with their headers and fields. */
describe.each(['intentBound', 'randomNonce'] as const)(
  'third-party programs with the service kind %s',
  (kind) => {
    let sandbox: RunningSandbox<typeof kind>
    let service: Caller

    beforeAll(async () => {
      sandbox = await startSandbox({
        service: kind,
        blockchains: ['base', 'tempo'],
        bridge: false,
        headerPrefix: 'x-foo-',
        merchantId: 'their-shop',
        creditSeed: 'their-seed',
        apiKey: 'their-key',
      })
      service = caller(overHttp(sandbox.url))
    })
    afterAll(() => sandbox?.stop())

    type Place = {
      blockchain: 'base' | 'tempo'
      person: LocalAccount
      credits: Hex
      token: Hex
      rpcUrl: string
    }
    const places = (): Record<'base' | 'tempo', Place> => {
      const { base } = sandbox.chains
      const { tempo } = sandbox
      if (base === undefined || tempo === undefined) throw new Error('not both were started')
      // One wallet on both chains, like a page's visitor.
      const person = sandbox.accounts.alice.account
      return {
        base: {
          blockchain: 'base',
          person,
          credits: base.creditsContract,
          token: base.usdc,
          rpcUrl: base.rpcUrl,
        },
        tempo: {
          blockchain: 'tempo',
          person,
          credits: tempo.creditsContract,
          token: tempo.token,
          rpcUrl: tempo.rpcUrl,
        },
      }
    }

    /** Applies `JSON.parse`, removes `EIP712Domain` from the types, and keeps all other values as received: numbers and strings mixed. */
    const sign = (person: LocalAccount, text: string): Promise<Hex> => {
      const { domain, primaryType, message, types } = JSON.parse(text)
      const { EIP712Domain: _, ...others } = types
      return person.signTypedData({ domain, types: others, primaryType, message })
    }

    const expectPaid = async (place: Place, sent: Answer, before: bigint, amount: bigint) => {
      expect(sent).toMatchObject({ status: 200, body: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
      const receipt = await waitForReceipt(publicClient(place.rpcUrl), sent.body.hash)
      expect(receipt.status).toBe('success')
      expect(await balanceOf(place, shop)).toBe(before + amount)
    }
    const shop = '0x5Bb0aE5F8b8A0F9a4cf17bE3e1C7a5d1a7F1B2c3'.toLowerCase() as Hex // 20 bytes
    const balanceOf = ({ token, rpcUrl }: Place, wallet: Hex) =>
      publicClient(rpcUrl).readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [wallet],
      })

    // Origin: github.com/melahi5-cf/CreditFlow, src/app/api/redeem/route.ts and src/components/UseServiceStep.tsx.
    // `withUser` false: src/app/api/configurable/redeem/route.ts, which does not name a user.
    describe.each([
      ['base', true],
      ['base', false],
      ['tempo', true],
    ] as const)('a web shop on %s, user header %s', (blockchain, withUser) => {
      test('redeems 50 cents', async () => {
        const place = places()[blockchain]
        const { person } = place
        const headers = {
          authorization: 'their-key',
          ...(withUser && { 'x-foo-auth-user-id': person.address }),
          'x-foo-auth-wallet': person.address,
          'x-foo-auth-blockchain': blockchain,
        }
        const body = {
          merchantId: 'their-shop',
          subtotal: { cents: 50 },
          transactionData: { type: 'token', destination: shop },
        }
        const asked = await service.post(creditsAuthMsgPath, body, headers)
        expect(asked.status).toBe(200)
        const { message, validBefore, nonce, creditsRawAmount } = asked.body
        const signedMessage = await sign(person, message)
        const before = await balanceOf(place, shop)
        const sent = await service.post(
          sendGaslessTxPath,
          { ...body, signedMessages: { permitCredits: signedMessage }, validBefore, nonce, creditsRawAmount },
          headers,
        )
        await expectPaid(place, sent, before, 500_000n)
      })
    })

    // Origin: the same repository, src/hooks/useCreditBalance.ts and src/lib/creditsContract.ts.
    const readCredits = (place: Place, client: Pick<ReturnType<typeof publicClient>, 'readContract'>) =>
      client.readContract({
        address: place.credits,
        abi: parseAbi([
          'function getCreditsBalance(address customerWallet_, string creditSeed_) view returns (uint256)',
        ]),
        functionName: 'getCreditsBalance',
        args: [place.person.address, 'their-seed'],
      })

    test.each(['base', 'tempo'] as const)(
      'a page on %s reads the credits of a wallet',
      async (blockchain) => {
        const place = places()[blockchain]
        expect(await readCredits(place, publicClient(place.rpcUrl))).toBeGreaterThan(0n)
      },
    )

    // Origin: the same repository, src/app/providers.tsx: wagmi's configuration batches reads unless told otherwise.
    test('a page on base reads through Multicall3', async () => {
      const place = places().base
      const client = createPublicClient({
        chain: baseSepolia,
        transport: http(place.rpcUrl),
        batch: { multicall: true },
      })
      expect(await readCredits(place, client)).toBeGreaterThan(0n)
      // Origin: the code hash of that address on the public networks, github.com/mds1/multicall3.
      const code = await client.getCode({ address: baseSepolia.contracts.multicall3.address })
      expect(keccak256(code ?? '0x')).toBe(
        '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891',
      )
    })

    // Origin: github.com/mgcarlson/coinflow-example, src/coinflowApi.ts; the other header is of
    // github.com/coinflow-labs-us/marketplace-demo, src/hooks/useCoinflowUrl.ts.
    test('a page may send headers that this service does not know', async () => {
      const asked = 'content-type,x-device-id,x-foo-auth-session-key,x-foo-submerchant-id,x-session-id'
      const response = await fetch(`${sandbox.url}/api/customer/balances/their-shop`, {
        method: 'OPTIONS',
        headers: {
          origin: 'http://localhost:5173',
          'access-control-request-method': 'GET',
          'access-control-request-headers': asked,
        },
      })
      expect(response.headers.get('access-control-allow-headers')).toBe(asked)
    })

    // Origin: github.com/tempoxyz/wallet, crates/tempo-wallet/src/commands/spend_credits.rs: the fields that its server forwards.
    test('a command-line wallet on tempo pays a dollar', async () => {
      const place = places().tempo
      const { person } = place
      const headers = { 'x-foo-auth-wallet': person.address, 'x-foo-auth-blockchain': 'tempo' }
      const body = {
        merchantId: 'their-shop',
        subtotal: { cents: 100, currency: 'USD' },
        transactionData: { type: 'token', destination: shop },
      }
      const { body: answer } = await service.post(creditsAuthMsgPath, body, headers)
      // The program's reader expects this number as a number and the other values as strings.
      expect(answer).toMatchObject({
        message: expect.any(String),
        validBefore: expect.any(String),
        nonce: expect.any(String),
        creditsRawAmount: expect.any(Number),
      })
      expect(JSON.parse(answer.message).domain.chainId).toBe(42431)
      const { validBefore, nonce, creditsRawAmount } = answer
      const permitCredits = await sign(person, answer.message)
      const before = await balanceOf(place, shop)
      const sent = await service.post(
        sendGaslessTxPath,
        { ...body, signedMessages: { permitCredits }, validBefore, nonce, creditsRawAmount },
        headers,
      )
      await expectPaid(place, sent, before, 1_000_000n)
    })

    // Origin: the same file. After "exceeds max credits authorized", the program asks for a permit of one cent more and
    // sends the first amount with it. An intent-bound nonce commits to the requested amount; requesting the same amount
    // again works with both kinds.
    test.each([
      [101, kind === 'intentBound' ? 409 : 200],
      [100, 200],
    ])('the wallet asks again, for %s cents, and sends 100', async (askedCents, status) => {
      const place = places().tempo
      const { person } = place
      const headers = { 'x-foo-auth-wallet': person.address, 'x-foo-auth-blockchain': 'tempo' }
      const bodyOf = (cents: number) => ({
        merchantId: 'their-shop',
        subtotal: { cents, currency: 'USD' },
        transactionData: { type: 'token', destination: shop },
      })
      await service.post(creditsAuthMsgPath, bodyOf(100), headers) // The program drops this permit.
      const { body: answer } = await service.post(creditsAuthMsgPath, bodyOf(askedCents), headers)
      const { message, validBefore, nonce, creditsRawAmount } = answer
      const permitCredits = await sign(person, message)
      const before = await balanceOf(place, shop)
      const sent = await service.post(
        sendGaslessTxPath,
        { ...bodyOf(100), signedMessages: { permitCredits }, validBefore, nonce, creditsRawAmount },
        headers,
      )
      expect(sent.status).toBe(status)
      if (status === 200) await expectPaid(place, sent, before, 1_000_000n)
      else expect(sent.body.code).toBe('INTENT_MISMATCH')
    })

    // A command-line wallet needs a private key. Only the output of `redeemkit sandbox` shows one.
    test('the command prints the key of an account with credits on tempo', async () => {
      const screen = stripVTControlCharacters(sandboxScreen(sandbox))
      const [, shown] = /^tempo, .*?^ {19}(0x[0-9a-f]{64})$/ms.exec(screen) ?? []
      const { address } = privateKeyToAccount(shown as Hex)
      expect(screen).toMatch(new RegExp(`^ {2}customer +${address}$`, 'm'))
      const { body } = await service.get('/api/customer/balances/their-shop', {
        authorization: 'their-key',
        'x-foo-auth-wallet': address,
        'x-foo-auth-blockchain': 'tempo',
      })
      expect(body.credits.cents).toBeGreaterThan(0)
    })

    // Origin: github.com/wucoinflowlabs/integration-test, server/coinflow.js: it reads the merchant from the key.
    test('a session key is a JWT with its merchant and expiry', async () => {
      const { address } = sandbox.accounts.alice
      const { body } = await service.get('/api/auth/session-key', {
        accept: 'application/json',
        authorization: 'their-key',
        'x-foo-auth-user-id': 'demo_3f2a9c',
        'x-foo-auth-wallet': address,
        'x-foo-auth-blockchain': 'base',
      })
      const { iat, exp, ...named } = JSON.parse(Buffer.from(body.key.split('.')[1], 'base64url').toString())
      expect(named).toEqual({
        merchantId: 'their-shop',
        userId: 'demo_3f2a9c',
        wallet: address,
        blockchain: 'base',
      })
      expect(exp - iat).toBe(24 * 3600)
    })

    // Public programs use both forms. Some also send a content type without a body.
    test('returns session keys by user ID and by wallet, and a balance with each', async () => {
      const { address } = sandbox.accounts.alice
      const wallet = { 'x-foo-auth-wallet': address, 'x-foo-auth-blockchain': 'base' }
      for (const named of [{ 'x-foo-auth-user-id': 'player_001' }, wallet]) {
        const { status, body } = await service.get('/api/auth/session-key', {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: 'their-key',
          ...named,
        })
        expect(status).toBe(200)
        const balances = await service.get('/api/customer/balances/their-shop', {
          ...wallet,
          'x-foo-auth-session-key': body.key,
        })
        expect(balances.body.credits.cents).toBeGreaterThan(0)
      }
    })
  },
)
