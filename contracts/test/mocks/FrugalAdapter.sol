// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../../src/IBridgeAdapter.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title A bridge adapter that takes only a part of what it may
contract FrugalAdapter {
    IERC20 private immutable _usdc;
    uint256 public taken;

    constructor(address usdc_) {
        _usdc = IERC20(usdc_);
    }

    function setTaken(uint256 amount) external {
        taken = amount;
    }

    function bridge(IBridgeAdapter.Request calldata) external returns (bytes32) {
        require(_usdc.transferFrom(msg.sender, address(this), taken), "FrugalAdapter: transfer failed");
        return 0;
    }
}
