// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Records the gas that it has at its first instruction
contract GasMeter {
    uint256 public given;

    fallback() external {
        assembly {
            sstore(0, gas())
        }
    }
}
