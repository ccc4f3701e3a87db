import { explorerUrl, findRedeem } from 'redeemkit'
import { cancelCreditPermitTypedData } from 'redeemkit/evm'
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import type { RedeemEntry } from '../messages.ts'
import type { Networks } from './createNetworks.ts'
import type { SignAsk } from './createQueue.ts'
import type { Store } from './openStore.ts'
import { typedDataOf } from './signAsk.ts'

/** A signed permit, with the data to look it up on chain. */
export type StoredRedeem = Omit<RedeemEntry, 'explorerUrl'> & {
  creditsContract: Address
  domainName: string
  domainVersion: string
  nonce: Hex
}

/** Typed data of a permit. `inspect` has already checked the values, and also accepts numbers in hex. */
type ReadTypedData = {
  primaryType: string
  domain: { chainId: number | string; verifyingContract: string; name: string; version: string }
  message: { validBefore: number | string; nonce: Hex }
}

export type RedeemBook = ReturnType<typeof createRedeemBook>

/** Older entries are dropped. Their permits have expired, because no user signs so many before the first one expires. */
const mostEntries = 500

export function createRedeemBook(store: Store, networks: Networks, now: () => number) {
  const save = (redeems: readonly StoredRedeem[]) => store.set({ redeems: redeems.slice(-mostEntries) })
  const update = (id: string, changes: Partial<StoredRedeem>) =>
    save(store.get('redeems').map((one) => (one.id === id ? { ...one, ...changes } : one)))

  async function lookUp(entry: StoredRedeem): Promise<StoredRedeem> {
    const { account: wallet, chainId, creditsContract, nonce, validBefore } = entry
    try {
      const found = await findRedeem(networks.nodeOf(chainId), { wallet, chainId, creditsContract, nonce })
      const { state, block, outcome } = found
      if (state === 'unused')
        return { ...entry, outcome: block.timestamp >= validBefore ? 'expired' : 'open' }
      if (state === 'redeemed' || state === 'otherAttempt' || state === 'cancelled')
        return { ...entry, outcome: state, hash: outcome?.hash ?? entry.hash }
      return { ...entry, outcome: 'unknown' }
    } catch {
      return { ...entry, outcome: 'unknown' }
    }
  }

  return {
    list: (): readonly StoredRedeem[] => store.get('redeems'),

    /** Omits the fields that only the worker needs. */
    entries: (address: Address | undefined): RedeemEntry[] =>
      store
        .get('redeems')
        .filter(({ account }) => address === undefined || account === address)
        .map(({ creditsContract: _, domainName: _n, domainVersion: _v, nonce: _nonce, ...entry }) => ({
          ...entry,
          explorerUrl:
            entry.hash === undefined || networks.isLocal(entry.chainId)
              ? undefined
              : explorerUrl({ chainId: entry.chainId, hash: entry.hash }),
        }))
        .reverse(),

    /** Records typed data that is about to be signed, if it is a permit. Returns the id of the permit's entry. */
    record: async (
      typedData: unknown,
      about: Pick<RedeemEntry, 'asker' | 'account' | 'inspection'>,
    ): Promise<string | undefined> => {
      const { primaryType, domain, message }: ReadTypedData = Object(typedDataOf(typedData))
      if (primaryType !== 'CreditsAuthorization') return undefined
      const { nonce, validBefore } = message
      const creditsContract = getAddress(domain.verifyingContract)
      const chainId = Number(domain.chainId)
      // A site can ask for the same nonce on several chains, so the nonce alone does not identify a permit.
      const id = [chainId, creditsContract, about.account, nonce.toLowerCase()].join()
      const entry: StoredRedeem = {
        ...about,
        id,
        chainId,
        creditsContract,
        domainName: domain.name,
        domainVersion: domain.version,
        nonce,
        validBefore: BigInt(validBefore),
        signedAt: now(),
        outcome: 'open',
        hash: undefined,
      }
      await save([...store.get('redeems').filter((one) => one.id !== id), entry])
      return id
    },

    submitted: (id: string, hash: Hex): Promise<void> => update(id, { hash }),

    /** Reads the outcome of permits that may still execute. */
    refresh: async (): Promise<void> => {
      const open = store.get('redeems').filter(({ outcome }) => outcome === 'open' || outcome === 'unknown')
      const read = new Map(
        await Promise.all(open.map(async (entry) => [entry, await lookUp(entry)] as const)),
      )
      // Skips entries that changed in the meantime. A changed entry is a new object.
      await save(store.get('redeems').map((entry) => read.get(entry) ?? entry))
    },
  }
}

const cancelAbi = parseAbi([
  'function cancelCreditsAuthorization(address customerWallet, bytes32 nonce, bytes signature)',
])

/** Creates the request to cancel a permit. The user signs its typed data, and the wallet sends it to the credits contract. */
export function cancelAsk(entry: StoredRedeem): SignAsk {
  const { account, chainId, creditsContract, domainName, domainVersion, nonce, id } = entry
  const domain = { name: domainName, version: domainVersion, chainId, verifyingContract: creditsContract }
  return {
    kind: 'cancel',
    account,
    chainId,
    redeemId: id,
    typedData: cancelCreditPermitTypedData({ domain, customerWallet: account, nonce }),
    nonce,
    to: creditsContract,
    prepared: { state: 'preparing' },
  }
}

export function cancelCall({ account, nonce }: Extract<SignAsk, { kind: 'cancel' }>, signature: Hex): Hex {
  return encodeFunctionData({
    abi: cancelAbi,
    functionName: 'cancelCreditsAuthorization',
    args: [account, nonce, signature],
  })
}
