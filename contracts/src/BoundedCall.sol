// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Calls to untrusted contracts
/// @dev Never copies more return data than requested, so that the called contract cannot make its caller pay for
/// memory. `BoundedCall.t.sol` compares it with plain Solidity calls.
library BoundedCall {
    /// @dev Calls `target` and returns the first word of its return data, which is meaningless when `size < 32`.
    function call(address target, uint256 value, uint256 gasLimit, bytes memory data)
        internal
        returns (bool success, uint256 word, uint256 size)
    {
        assembly ("memory-safe") {
            success := call(gasLimit, target, value, add(data, 0x20), mload(data), 0x00, 0x20)
            word := mload(0x00)
            size := returndatasize()
        }
    }

    /// @dev Does the same as `call`, as a static call.
    function readOnly(address target, bytes memory data)
        internal
        view
        returns (bool success, uint256 word, uint256 size)
    {
        assembly ("memory-safe") {
            success := staticcall(gas(), target, add(data, 0x20), mload(data), 0x00, 0x20)
            word := mload(0x00)
            size := returndatasize()
        }
    }

    /// @dev Returns the first `maximum` bytes of the latest call's return data.
    function answer(uint256 maximum) internal pure returns (bytes memory data) {
        assembly ("memory-safe") {
            let size := returndatasize()
            if gt(size, maximum) { size := maximum }
            data := mload(0x40)
            mstore(data, size)
            returndatacopy(add(data, 0x20), 0x00, size)
            // Clear the word after the bytes, because memory there may be dirty.
            mstore(add(add(data, 0x20), size), 0)
            mstore(0x40, and(add(add(data, size), 0x5f), not(0x1f)))
        }
    }
}
