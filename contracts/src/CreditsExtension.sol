// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CreditsParts} from "./CreditsParts.sol";
import {ICredits} from "./ICredits.sol";
import {IUsdc} from "./IUsdc.sol";
import {Setup} from "./RoleGrant.sol";

/// @title The rare functions of `Credits`, which is at the limit of a contract's size
/// @notice Code only: `Credits` deploys it and runs it by `delegatecall`, as its own. Called directly it holds nothing, and
/// nobody has a role in it.
/// @dev Which functions those are, `Credits` says. There is no way to replace it.
contract CreditsExtension is CreditsParts {
    /// @dev Nobody's account: nobody administers this contract's own storage.
    address private constant NOBODY = 0x000000000000000000000000000000000000dEaD;

    /// @param usdc_ as of `Credits`
    /// @param signatureVerifier_ as of `Credits`
    constructor(IUsdc usdc_, address signatureVerifier_)
        CreditsParts(usdc_, NOBODY, type(uint48).max, NOBODY, signatureVerifier_, _nothing())
    {}

    /// @dev `Credits` redeems itself.
    function redeem(RedeemRequest calldata) external view {
        revert OnlySelf(msg.sender);
    }

    /// @inheritdoc ICredits
    function redeemToken(Permit calldata, uint256, bytes32, address, uint256) external view {
        revert OnlySelf(msg.sender);
    }

    /// @inheritdoc ICredits
    function redeemBatch(bytes[] calldata, uint256[] calldata) external view returns (BatchResult[] memory) {
        revert OnlySelf(msg.sender);
    }

    function _nothing() private pure returns (Setup memory setup) {}
}
