// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../../../src/ICredits.sol";
import {Payment} from "../Payment.sol";

/// @title Breaks one rule: it calls the credits contract while it is paid

contract Reenters is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        ICredits(msg.sender).withdrawFees();
        paidFor[receiver] += price;
    }
}
