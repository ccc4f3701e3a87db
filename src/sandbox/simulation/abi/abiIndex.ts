import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  type Hex,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { formatAbiItem } from 'viem/utils'
import { bridgeAdapterAbi } from '../../../../contracts/generated/BridgeAdapter.ts'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { customerEscrowAbi } from '../../../../contracts/generated/CustomerEscrow.ts'
import { mockUsdcAbi } from '../../../../contracts/generated/MockUsdc.ts'
import { paymentSettlementAbi } from '../../../../contracts/generated/PaymentSettlement.ts'

export type AbiError = Extract<Abi[number], { type: 'error' }>

export type AbiIndex = {
  functions: ReadonlyMap<Hex, readonly AbiFunction[]>
  errors: ReadonlyMap<Hex, readonly AbiError[]>
  events: ReadonlyMap<Hex, readonly AbiEvent[]>
}

/** Indexes the given ABIs before the known ones. Skips malformed items, so that the rest of a broken file is usable. */
export function abiIndex(abis: readonly Abi[]): AbiIndex {
  const found = indexes.get(abis)
  if (found !== undefined) return found
  const index = {
    functions: new Map<Hex, AbiFunction[]>(),
    errors: new Map<Hex, AbiError[]>(),
    events: new Map<Hex, AbiEvent[]>(),
  }
  const seen = new Set<string>()
  for (const item of [...abis, knownAbi].flat()) {
    if (item.type !== 'function' && item.type !== 'error' && item.type !== 'event') continue
    const { text, selector } = keyOf(item)
    if (selector === undefined || (seen.has(text) && item.type !== 'event')) continue
    seen.add(text)
    if (item.type === 'function') push(index.functions, selector, item)
    else if (item.type === 'error') push(index.errors, selector, item)
    else if (item.anonymous !== true) push(index.events, selector, item)
  }
  indexes.set(abis, index)
  return index
}

/** Cached by list object, because one report looks up hundreds of names. */
const indexes = new WeakMap<readonly Abi[], AbiIndex>()

type Key = {
  /** A second item with the same text is ignored. */
  text: string
  selector: Hex | undefined
}

function keyOf(item: AbiFunction | AbiError | AbiEvent): Key {
  const key = keys.get(item) ?? makeKey(item)
  keys.set(item, key)
  return key
}

/** Each item is hashed only once, even if several lists contain it. */
const keys = new WeakMap<Abi[number], Key>()

function makeKey(item: AbiFunction | AbiError | AbiEvent): Key {
  // Only names that Solidity and Vyper allow: a file may contain anything.
  if (!/^[\w$]+$/.test(item.name)) return { text: '', selector: undefined }
  try {
    const text = `${item.type} ${formatAbiItem(item, { includeName: true })}`
    if (item.type === 'event') return { text, selector: toEventSelector(item) }
    // The selector of an error is that of a function with the same name and inputs.
    const called =
      item.type === 'function'
        ? item
        : ({ ...item, type: 'function', outputs: [], stateMutability: 'view' } as const)
    return { text, selector: toFunctionSelector(called) }
  } catch {
    return { text: '', selector: undefined }
  }
}

function push<item>(map: Map<Hex, item[]>, key: Hex, item: item): void {
  const items = map.get(key) ?? []
  items.push(item)
  map.set(key, items)
}

/** Typed as `string`, so that TypeScript does not parse every line at compile time. */
const lines: readonly string[] = [
  // Solidity's own
  'error Error(string reason)',
  'error Panic(uint256 code)',
  // ERC-20 and its metadata, ERC-2612
  'function transfer(address to, uint256 amount) returns (bool)',
  'function transferFrom(address from, address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function name() view returns (string)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function nonces(address owner) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'event Approval(address indexed owner, address indexed spender, uint256 amount)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
  'error SafeERC20FailedOperation(address token)',
  'error SafeERC20FailedDecreaseAllowance(address spender, uint256 currentAllowance, uint256 requestedDecrease)',
  // ERC-721
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'function setApprovalForAll(address operator, bool approved)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function getApproved(uint256 tokenId) view returns (address)',
  'function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'error ERC721InvalidOwner(address owner)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InvalidSender(address sender)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC721InvalidApprover(address approver)',
  'error ERC721InvalidOperator(address operator)',
  // ERC-1155
  'function balanceOf(address account, uint256 id) view returns (uint256)',
  'function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])',
  'function uri(uint256 id) view returns (string)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
  'function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes data) returns (bytes4)',
  'function onERC1155BatchReceived(address operator, address from, uint256[] ids, uint256[] values, bytes data) returns (bytes4)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event URI(string value, uint256 indexed id)',
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
  'error ERC1155InvalidSender(address sender)',
  'error ERC1155InvalidReceiver(address receiver)',
  'error ERC1155MissingApprovalForAll(address operator, address owner)',
  'error ERC1155InvalidOperator(address operator)',
  'error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)',
  // ERC-165, ERC-173, ERC-1271, ERC-2981
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function owner() view returns (address)',
  'function transferOwnership(address newOwner)',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
  'function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 royaltyAmount)',
  'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  // ERC-4337, ERC-7579 and common account functions
  'function validateUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)',
  'function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)',
  'function execute(address target, uint256 value, bytes data)',
  'function execute(bytes32 mode, bytes executionCalldata)',
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'error FailedOp(uint256 opIndex, string reason)',
  'error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)',
  // Multicalls
  'function multicall(bytes[] data) returns (bytes[])',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
  // EIP-1967, EIP-1822, EIP-2535
  'function upgradeTo(address newImplementation)',
  'function upgradeToAndCall(address newImplementation, bytes data)',
  'function proxiableUUID() view returns (bytes32)',
  'function implementation() view returns (address)',
  'function diamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] diamondCut, address init, bytes data)',
  'function facetAddress(bytes4 functionSelector) view returns (address)',
  'event Upgraded(address indexed implementation)',
  'error ERC1967InvalidImplementation(address implementation)',
  'error UUPSUnauthorizedCallContext()',
  'error InvalidInitialization()',
  'error NotInitializing()',
  // OpenZeppelin and other common errors
  'error OwnableUnauthorizedAccount(address account)',
  'error OwnableInvalidOwner(address owner)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
  'error ReentrancyGuardReentrantCall()',
  'error EnforcedPause()',
  'error ExpectedPause()',
  'error AddressEmptyCode(address target)',
  'error FailedCall()',
  'error InsufficientBalance(uint256 balance, uint256 needed)',
  'error StringsInsufficientHexLength(uint256 value, uint256 length)',
  'error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)',
  'error ECDSAInvalidSignature()',
  'error ECDSAInvalidSignatureLength(uint256 length)',
  'error MerkleProofInvalidMultiproof()',
  'error ECDSAInvalidSignatureS(bytes32 s)',
  'error InvalidAccountNonce(address account, uint256 currentNonce)',
  'error ERC2612ExpiredSignature(uint256 deadline)',
  'error ERC2612InvalidSigner(address signer, address owner)',
  'error ERC20ExceededCap(uint256 increasedSupply, uint256 cap)',
  'error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)',
  'error ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)',
  'error ERC6909InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 id)',
  'error ERC6909InsufficientAllowance(address spender, uint256 allowance, uint256 needed, uint256 id)',
  'error AccessManagedUnauthorized(address caller)',
  'error ProxyDeniedAdminAccess()',
  // Version 5.0 of OpenZeppelin only
  'error AddressInsufficientBalance(address account)',
  'error FailedInnerCall()',
  'error MathOverflowedMulDiv()',
  // ERC721A
  'error MintToZeroAddress()',
  'error MintZeroQuantity()',
  'error OwnerQueryForNonexistentToken()',
  'error TransferCallerNotOwnerNorApproved()',
  'error TransferFromIncorrectOwner()',
  'error TransferToNonERC721ReceiverImplementer()',
  'error TransferToZeroAddress()',
  // Solady, which reverts with errors that the contract's ABI often lacks
  'error TransferFailed()',
  'error TransferFromFailed()',
  'error ApproveFailed()',
  'error Unauthorized()',
  'error AlreadyInitialized()',
  'error Reentrancy()',
  'error InsufficientBalance()',
  'error InsufficientAllowance()',
  'error TokenAlreadyExists()',
  'error TokenDoesNotExist()',
  'error NotOwnerNorApproved()',
  'error TransferToNonERC1155ReceiverImplementer()',
  'error InvalidSignature()',
  'error MulDivFailed()',
  'error FullMulDivFailed()',
  'error DivFailed()',
  'error MulWadFailed()',
  'error DivWadFailed()',
  // Permit2
  'error AllowanceExpired(uint256 deadline)',
  'error InsufficientAllowance(uint256 amount)',
  'error InvalidAmount(uint256 maxAmount)',
  'error InvalidNonce()',
  'error InvalidSigner()',
  'error InvalidContractSignature()',
  'error InvalidSignatureLength()',
  'error SignatureExpired(uint256 signatureDeadline)',
  // Uniswap: Universal Router, v4, and ERC-7751
  'error ExecutionFailed(uint256 commandIndex, bytes message)',
  'error TransactionDeadlinePassed()',
  'error V2TooLittleReceived()',
  'error V2TooMuchRequested()',
  'error V3TooLittleReceived()',
  'error V3TooMuchRequested()',
  'error V4TooLittleReceived(uint256 minAmountOutReceived, uint256 amountReceived)',
  'error V4TooMuchRequested(uint256 maxAmountInRequested, uint256 amountRequested)',
  'error DeadlinePassed(uint256 deadline)',
  'error CurrencyNotSettled()',
  'error PoolNotInitialized()',
  'error ManagerLocked()',
  'error WrappedError(address target, bytes4 selector, bytes reason, bytes details)',
]

const knownAbi: Abi = [
  ...parseAbi(lines),
  ...creditsAbi,
  ...bridgeAdapterAbi,
  ...paymentSettlementAbi,
  ...customerEscrowAbi,
  ...mockUsdcAbi,
]
