import { Address, Keypair, nativeToScVal, type rpc, xdr } from '@stellar/stellar-sdk'
import { expect, test } from 'vitest'
import { networkOf } from '../../../redeemkit/stellar/networks.ts'
import { movedUsdc } from './movedUsdc.ts'

const network = networkOf('sandbox')
const [from, to, stranger] = [1, 2, 3].map((byte) =>
  Keypair.fromRawEd25519Seed(Buffer.alloc(32, byte)).publicKey(),
) as [string, string, string]
const amount = 10_000_000n

function transfer(payer: string, receiver: string, value: bigint): xdr.ContractEvent {
  const topics = [
    nativeToScVal('transfer', { type: 'symbol' }),
    ...[payer, receiver].map((one) => Address.fromString(one).toScVal()),
  ]
  const data = nativeToScVal(value, { type: 'i128' })
  return new xdr.ContractEvent({
    ext: new xdr.ExtensionPoint(0),
    contractId: Address.fromString(network.usdc.contract).toScAddress().contractId(),
    type: xdr.ContractEventType.contract(),
    body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics, data })),
  })
}

const applied = (events: xdr.ContractEvent[]) =>
  ({
    returnValue: xdr.ScVal.scvVoid(),
    resultMetaXdr: { switch: () => 3, v3: () => ({ sorobanMeta: () => ({ events: () => events }) }) },
  }) as unknown as rpc.Api.GetSuccessfulTransactionResponse

test.each<[string, [string, string, bigint][], boolean]>([
  ['the agreed transfer', [[from, to, amount]], true],
  [
    'the agreed amount, which the shop forwards',
    [
      [from, to, amount],
      [to, stranger, amount],
    ],
    true,
  ],
  ['nothing', [], false],
  ['less', [[from, to, amount - 1n]], false],
  ['a transfer from another account', [[stranger, to, amount]], false],
  ['a transfer to another receiver', [[from, stranger, amount]], false],
  [
    'the agreed amount twice',
    [
      [from, to, amount],
      [from, stranger, 1n],
    ],
    false,
  ],
])('a call pays only if the customer transfers the agreed amount exactly once: %s', (_, transfers, paid) => {
  const events = transfers.map((one) => transfer(...one))
  const spends = { to, amount }
  const expected = {
    kind: 'call',
    contract: network.usdc.contract,
    functionName: 'buy',
    args: [],
    from,
    spends,
  } as const
  expect(movedUsdc(applied(events), { expected, network })).toBe(paid)
})
