// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Pulls the payment from the caller, for the mock merchants
abstract contract Payment {
    IERC20 public immutable usdc;

    constructor(address usdc_) {
        usdc = IERC20(usdc_);
    }

    function _pull(uint256 amount) internal {
        if (amount != 0) require(usdc.transferFrom(msg.sender, address(this), amount), "Payment: transfer failed");
    }
}
