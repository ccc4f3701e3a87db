/**
 * All values that code for browsers imports from viem. Types are imported from `viem` directly. When viem 3 renames these functions, only
 * this file must change.
 */
export {
  bytesToHex,
  concatHex,
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  deploylessCallViaFactoryBytecode,
  domainSeparator,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  fromRlp,
  getAddress,
  hashMessage,
  hashStruct,
  hashTypedData,
  hexToBytes,
  keccak256,
  numberToHex,
  recoverAddress,
  sha256,
  size,
  slice,
  stringToBytes,
  stringToHex,
  toRlp,
} from 'viem'
