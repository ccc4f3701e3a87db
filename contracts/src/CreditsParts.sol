// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CustomerExit} from "./CustomerExit.sol";
import {IUsdc} from "./IUsdc.sol";
import {InitialRoles} from "./InitialRoles.sol";
import {Ledger} from "./Ledger.sol";
import {Permits} from "./Permits.sol";
import {Setup} from "./RoleGrant.sol";
import {Settlements} from "./Settlements.sol";
import {UsdcCollection} from "./UsdcCollection.sol";
import {Whitelist} from "./Whitelist.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// @title What `Credits` and `CreditsExtension` are made of
/// @dev All storage is in here, and neither of the two adds any: so both read and write the same slots.
abstract contract CreditsParts is UsdcCollection, Settlements, CustomerExit {
    constructor(
        IUsdc usdc_,
        address admin,
        uint48 adminDelay,
        address feeRecipient_,
        address signatureVerifier_,
        Setup memory setup
    )
        AccessControlDefaultAdminRules(adminDelay, admin)
        InitialRoles(setup.grants)
        Ledger(usdc_, feeRecipient_)
        Permits(signatureVerifier_)
        Whitelist(setup.bridgeAdapter, setup.ownContracts)
    {}

    /// @inheritdoc Settlements
    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(AccessControlDefaultAdminRules, Settlements)
        returns (bool)
    {
        return super.supportsInterface(interfaceId);
    }
}
