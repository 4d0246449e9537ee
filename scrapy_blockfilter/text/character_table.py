"""The kind of each character of the basic plane. Made by ``python -m research.character_table``."""

from __future__ import annotations

UNICODE = "15.1.0"
# One byte per character, compressed with zlib, in base 85.
PACKED = (
    b"c-rmViFTtP6o6q;wD<krcp3%SH$~IV`M=~$6Qd%lh>nUFuQv&7lNR@Vl|{Y|>-sZk5nZ$|q>8+Nq{#i`&98no#e6S?ZT=R+wjcD#S9?O^WtK7@-t"
    b"YH1w02*VK4#N4g#D-OgHkqjcA1`Svf*iU{^f_duPpxUNpT?y%a1=viAu`X(_6cxk!ZDtET)od<#qd46^pXgU8}ccr;>O2y#cnk4LTFw`b)0W#A~&"
    b"1_$7VGbTn7p3ALOlknbYBzdOpa{khoIuHo|UNz2vp?)DeY)i!Z4NG7`N*?*td9y}DiaC?LJjJ28j`$E{Q^pdnZNh8m0XqQEOn%`@ZR(UN&U0jv7)"
    b"mWv=1)U|kP*_U*Zq&Y%_}SGC-@ZjjyqwofJGM1fO2YyqK_Fe>XDYX3D|8(HxPZxc`lsRh@wag*q<^l(ap`ZvF_Xo9IubWmyMpCZ(pe7EzgmAQ$)8"
    b"S_OtuA4I@*_3_%ay2bcF9Gtwi<jRQy{_jD&4m*!|4KzZzt_r8L#co8Molge|roei;An$y`X^A2Aw!sW+5MxuD^U_HNR>+wI#$$<Xe&+^1`q+rOK+"
    b"zCD7S-ED0SqvTI@4E`r!pG1@lc8PoE?+ZsJ#p7B>y>_rwsDJVA`W7P1-3&1Q&^4L#YV6&nA2>%9t+iuq9R|0Kl5_pUyT>2B<G)JJJJ%G+^!<6O?="
    b"rf?>@k#)K0<k<xpx#M9FHE2PtWO;f&3mFznMSyB58RmY`^Nwuc!OJap;xwZ?_M_{p0H+h*#GU#CLf6(nJ~R#2hCX3&Tl|wI_d<{*|xiw(bZiIKO4"
    b"fp(`Kp`LEXeqW4#6`MCVo*B^Zs^IhE7pFQJl*J@9|2g`dk#D0G{l~!^Q^Yd%4c}?e6m2XLZ>4x!)WC?9Y4(u8D{j98a34_VXEy4Xff6u+o;GI($r"
    b"_Ybx00000gPqU&um98TvOH}sWOYX+PaNafezxAXXng#`bnMmT@e<W}xRSd}<;ve#17_0?Rlf02uXQ02000000000000000000000000000000000"
    b"000000000000000000BBGE@Ec5cp6qCVBzl<s@uaUqK6?hA#2h`7SlV+>E?Av~%v&<vri;&__8yF_bnuL7^Jwg182i(+b>^Ab`y`VeVp6pdHGM7x"
    b")#dt@R`c2U>&k2M0oz+a^vn0G_M$s}GvXg*M=SnOeC2AW@#N0*mx(QJrJ$#wm??1vrGM+sU+;Tpd}cF0*}CWQha(^W000000000000000007`Vwa"
    b"fEA@ZW6!00000000000000!jw?#Io+fw8M)xUuH$OAec2B+YcTv3OCb`_l_JetGeU10tI=OYxSSvnP+uKWb9lay_7PoDy`1i+L*X>tb)XMNDs-%="
    b"}VA_{i{{T+4MO^"
)
