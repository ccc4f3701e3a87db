// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICustomerExit} from "./ICustomerExit.sol";
import {Ledger} from "./Ledger.sol";
import {Permits} from "./Permits.sol";

/// @title The customers' way out of a pause
/// @dev PROTOCOL.md 6.4.
abstract contract CustomerExit is Ledger, Permits {
    /// @dev What a customer signs to leave.
    bytes32 private constant BURN_TYPEHASH = keccak256(
        "BurnCredits(address customerWallet,string creditSeed,uint256 amount,uint256 validBefore,uint256 nonce)"
    );

    /// @inheritdoc ICustomerExit
    mapping(address customerWallet => uint256) public burnNonce;

    /// @inheritdoc ICustomerExit
    function burnBySignature(
        address customerWallet,
        string calldata creditSeed,
        uint256 amount,
        uint256 validBefore,
        bytes calldata signature
    ) external virtual nonReentrant {
        _requireExitOpen();
        if (block.timestamp >= validBefore) revert PermitExpired(validBefore, block.timestamp);
        bytes32 digest = hashBurnCredits(customerWallet, creditSeed, amount, validBefore);
        if (!_isValidSignature(customerWallet, digest, signature)) revert InvalidBurnSignature(customerWallet, digest);
        ++burnNonce[customerWallet];
        _burn(creditSeed, customerWallet, amount);
    }

    /// @inheritdoc ICustomerExit
    function hashBurnCredits(address customerWallet, string calldata creditSeed, uint256 amount, uint256 validBefore)
        public
        view
        returns (bytes32 digest)
    {
        return _hashTypedDataV4(
            keccak256(
                abi.encode(
                    BURN_TYPEHASH,
                    customerWallet,
                    keccak256(bytes(creditSeed)),
                    amount,
                    validBefore,
                    burnNonce[customerWallet]
                )
            )
        );
    }
}
