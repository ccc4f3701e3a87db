import { Address, type Asset, hash, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk'
import { type Authorizer, type Call, creationCall } from './authorizer.ts'
import type { Contract, ContractContext } from './contract.ts'
import { createAssetContract } from './createAssetContract.ts'
import { checkWasm, createWasmContract } from './createWasmContract.ts'
import { HostError } from './hostError.ts'
import { codeLedgerKey, contractDataLedgerKey, instanceLedgerKey } from './ledgerEntries.ts'
import type { LedgerState } from './state.ts'

/** The contracts that a ledger knows. */
export type ContractTable = ReadonlyMap<string, Contract>

/** What one call read, wrote and published. */
export type HostResult = {
  returnValue: xdr.ScVal
  events: xdr.ContractEvent[]
  reads: ReadonlyMap<string, xdr.LedgerKey>
  writes: ReadonlyMap<string, xdr.LedgerKey>
}

const maxDepth = 20
const constructorName = '__constructor'

type WithContract<method extends (...args: never[]) => unknown> = (
  contract: string,
  ...args: Parameters<method>
) => ReturnType<method>

/** What a transaction asks of the host: to call a contract, to take Wasm, or to make a contract of Wasm that it has. */
export type HostFunction =
  | { kind: 'invoke'; contract: string; functionName: string; args: readonly xdr.ScVal[] }
  | { kind: 'upload'; code: Buffer }
  | { kind: 'create'; creation: xdr.CreateContractArgsV2 }

/**
 * Runs a host function on a state, with an authorizer that decides what is authorized.
 *
 * @throws {@link HostError}; the state is then to be dropped
 */
export function runHostFunction(options: runHostFunction.Options): HostResult {
  const { state, contracts, authorizer, ledger } = options
  const usdcContract = options.usdc.contractId(options.networkPassphrase)
  const reads = new Map<string, xdr.LedgerKey>()
  const writes = new Map<string, xdr.LedgerKey>()
  const events: xdr.ContractEvent[] = []
  const frames: Call[] = []

  const touch = (key: xdr.LedgerKey, isWrite: boolean) => {
    ;(isWrite ? writes : reads).set(key.toXDR('base64'), key)
  }
  const emit = (contract: string, topics: readonly xdr.ScVal[], data: xdr.ScVal) => {
    events.push(
      new xdr.ContractEvent({
        ext: new xdr.ExtensionPoint(0),
        // The event's contract id has the layout of the address' hash.
        contractId: Address.fromString(contract).toScAddress().contractId(),
        type: xdr.ContractEventType.contract(),
        body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics: [...topics], data })),
      }),
    )
  }
  const requireAuth = (address: string) => {
    const caller = frames.at(-2)
    if (caller?.contract === address) return
    for (const nonce of authorizer.require(address, frames)) touch(nonce, true)
  }
  const fail = (code: number): never => {
    throw new HostError(`HostError: Error(Contract, #${code})`)
  }

  const assetContract = createAssetContract({ asset: options.usdc, contract: usdcContract, state, touch })

  /** The values inside the entry of a contract's instance. */
  const instanceStorage = (contract: string): xdr.ScMapEntry[] =>
    readInstance(state, contract)?.storage() ?? []
  const getData: WithContract<ContractContext['get']> = (contract, key, durability = 'persistent') => {
    if (durability === 'instance')
      return instanceStorage(contract)
        .find((entry) => isSame(entry.key(), key))
        ?.val()
    const ledgerKey = contractDataLedgerKey(contract, key, durability)
    touch(ledgerKey, false)
    const value = state.contractData.get(ledgerKey.toXDR('base64'))
    return value === undefined ? undefined : xdr.ScVal.fromXDR(value, 'base64')
  }
  const setData: WithContract<ContractContext['set']> = (contract, key, value, durability = 'persistent') => {
    const ledgerKey =
      durability === 'instance'
        ? instanceLedgerKey(contract)
        : contractDataLedgerKey(contract, key, durability)
    touch(ledgerKey, true)
    const name = ledgerKey.toXDR('base64')
    if (durability !== 'instance') {
      state.contractData.set(name, value.toXDR('base64'))
      return
    }
    const instance = readInstance(state, contract)
    if (instance === undefined)
      throw new HostError(
        'HostError: Error(Storage, MissingValue): a declared contract has no instance entry',
      )
    const others = instanceStorage(contract).filter((entry) => !isSame(entry.key(), key))
    instance.storage(xdr.scvSortedMap([...others, new xdr.ScMapEntry({ key, val: value })]).map())
    state.contractData.set(name, xdr.ScVal.scvContractInstance(instance).toXDR('base64'))
  }

  const find = (contract: string): Contract => {
    touch(instanceLedgerKey(contract), false)
    const declared = contract === usdcContract ? assetContract : contracts.get(contract)
    if (declared !== undefined) return declared
    const executable = readInstance(state, contract)?.executable()
    if (executable?.switch().name !== 'contractExecutableWasm')
      throw new HostError(`HostError: Error(Storage, MissingValue): no contract ${contract}`)
    return createWasmContract(readCode(executable.wasmHash()))
  }
  const readCode = (wasmHash: Buffer): Buffer<ArrayBuffer> => {
    touch(codeLedgerKey(wasmHash), false)
    const code = state.code.get(wasmHash.toString('hex'))
    if (code === undefined)
      throw new HostError('HostError: Error(Storage, MissingValue): no Wasm with this hash')
    return Buffer.from(code, 'hex')
  }

  const upload = (code: Buffer): xdr.ScVal => {
    checkWasm(Buffer.from(code))
    const wasmHash = hash(code)
    touch(codeLedgerKey(wasmHash), true)
    state.code.set(wasmHash.toString('hex'), code.toString('hex'))
    return xdr.ScVal.scvBytes(wasmHash)
  }
  const create = (creation: xdr.CreateContractArgsV2): xdr.ScVal => {
    const preimage = creation.contractIdPreimage()
    if (
      preimage.switch().name !== 'contractIdPreimageFromAddress' ||
      creation.executable().switch().name !== 'contractExecutableWasm'
    )
      throw new HostError('HostError: Error(Context, InvalidAction): only contracts of Wasm are created here')
    const contract = contractAddress(preimage, options.networkPassphrase)
    if (readInstance(state, contract) !== undefined)
      throw new HostError(`HostError: Error(Storage, ExistingValue): ${contract} exists already`)
    const hasConstructor = Object.hasOwn(
      createWasmContract(readCode(creation.executable().wasmHash())),
      constructorName,
    )
    frames.push(creationCall(creation))
    authorizer.enter()
    requireAuth(Address.fromScAddress(preimage.fromAddress().address()).toString())
    const key = instanceLedgerKey(contract)
    touch(key, true)
    const instance = new xdr.ScContractInstance({ executable: creation.executable(), storage: null })
    state.contractData.set(key.toXDR('base64'), xdr.ScVal.scvContractInstance(instance).toXDR('base64'))
    if (hasConstructor) run(contract, constructorName, creation.constructorArgs())
    else if (creation.constructorArgs().length > 0)
      throw new HostError('HostError: Error(Context, MissingValue): the contract has no constructor')
    authorizer.leave()
    frames.pop()
    return addressValue(contract)
  }
  const start = (hostFunction: HostFunction): xdr.ScVal => {
    if (hostFunction.kind === 'upload') return upload(hostFunction.code)
    if (hostFunction.kind === 'create') return create(hostFunction.creation)
    const { contract, functionName, args } = hostFunction
    return callFromOutside(contract, functionName, args)
  }
  /** Nobody but the host itself calls what begins with two underscores. */
  const callFromOutside: ContractContext['call'] = (contract, functionName, args) => {
    if (functionName.startsWith('__'))
      throw new HostError(`HostError: Error(Context, InvalidAction): ${functionName} is reserved`)
    return run(contract, functionName, args)
  }

  let trap: unknown
  /** A contract that catches what failed does not go on with half of it done: there is nothing to catch a trap with. */
  const lasting =
    <args extends unknown[], result>(work: (...args: args) => result) =>
    (...args: args): result => {
      if (trap !== undefined) throw trap
      try {
        return work(...args)
      } catch (error) {
        trap = error
        throw error
      }
    }

  const run = (contract: string, functionName: string, args: readonly xdr.ScVal[]): xdr.ScVal => {
    if (frames.length >= maxDepth || frames.some((frame) => frame.contract === contract))
      throw new HostError('HostError: Error(Context, InvalidAction): contract re-entry is not allowed')
    const functions = find(contract)
    const target = Object.hasOwn(functions, functionName) ? functions[functionName] : undefined
    if (target === undefined)
      throw new HostError(`HostError: Error(WasmVm, MissingValue): no function ${functionName}`)
    frames.push({ contract, functionName, args: args.map((arg) => arg.toXDR('base64')) })
    authorizer.enter()
    const context: ContractContext = {
      self: contract,
      ledger,
      requireAuth: lasting(requireAuth),
      call: lasting(callFromOutside),
      transferUsdc: lasting((from, to, amount) => {
        run(usdcContract, 'transfer', [addressValue(from), addressValue(to), i128(amount)])
      }),
      get: lasting((key, durability) => getData(contract, key, durability)),
      set: lasting((key, value, durability) => setData(contract, key, value, durability)),
      emit: lasting((topics, data) => emit(contract, topics, data)),
      fail: lasting(fail),
    }
    const returned = target(context, ...args) ?? xdr.ScVal.scvVoid()
    authorizer.leave()
    frames.pop()
    return returned
  }

  let returnValue: xdr.ScVal
  try {
    returnValue = start(options.hostFunction)
    if (trap !== undefined) throw trap
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError(`HostError: Error(WasmVm, InvalidAction): ${String(error)}`, { cause: error })
  }
  for (const key of writes.keys()) reads.delete(key)
  return { returnValue, events, reads, writes }
}

export declare namespace runHostFunction {
  type Options = {
    state: LedgerState
    contracts: ContractTable
    usdc: Asset
    networkPassphrase: string
    authorizer: Authorizer
    ledger: { sequence: number; timestamp: number }
    hostFunction: HostFunction
  }
}

/** The instance entry of USDC's contract or of a declared one, made up: it has no Wasm. */
export function contractInstance(contract: string, isAsset: boolean): xdr.ScVal {
  return xdr.ScVal.scvContractInstance(
    new xdr.ScContractInstance({
      executable: isAsset
        ? xdr.ContractExecutable.contractExecutableStellarAsset()
        : xdr.ContractExecutable.contractExecutableWasm(hash(Buffer.from(`simulated ${contract}`))),
      storage: null,
    }),
  )
}

/** The instance of a contract that was created from Wasm. */
function readInstance(state: LedgerState, contract: string): xdr.ScContractInstance | undefined {
  const stored = state.contractData.get(instanceLedgerKey(contract).toXDR('base64'))
  return stored === undefined ? undefined : xdr.ScVal.fromXDR(stored, 'base64').instance()
}

function contractAddress(preimage: xdr.ContractIdPreimage, networkPassphrase: string): string {
  const id = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: hash(Buffer.from(networkPassphrase)),
      contractIdPreimage: preimage,
    }),
  )
  return StrKey.encodeContract(hash(id.toXDR()))
}

function isSame(a: xdr.ScVal, b: xdr.ScVal): boolean {
  return a.toXDR('base64') === b.toXDR('base64')
}

function addressValue(address: string): xdr.ScVal {
  return Address.fromString(address).toScVal()
}

function i128(amount: bigint): xdr.ScVal {
  return nativeToScVal(amount, { type: 'i128' })
}
